// How the reader wants to see the fit table: in which order, and which of its rows. Pure functions of the rows, which stay as they are.
export const sorts = ['fit', 'headroom', 'cost', 'memory'];
const names = ['vendor', 'kind', 'memory', 'verdict'];
export const asMade = { sort: 'fit', vendor: '', kind: '', memory: '', verdict: '' };

// What each order goes by, least first. Rows without it come last, and equals stay in the order of fit.
const orders = {
  fit: () => 0,
  headroom: (row) => (row.smallest ? -row.smallest.share : Infinity),
  cost: (row) => row.smallest?.usd ?? Infinity,
  memory: (row) => -row.gb,
};

// What of a row each filter looks at, and which rows a choice lets pass.
const filters = {
  vendor: { of: (row) => row.vendor, passes: (row, vendor) => row.vendor === vendor },
  kind: { of: (row) => row.kind, passes: (row, kind) => row.kind === kind },
  memory: { of: (row) => String(row.gb), passes: (row, least) => row.gb >= least },
  verdict: { of: (row) => row.smallest?.verdict, passes: (row, least) => row.smallest && (least === 'tight' || row.smallest.verdict === least) },
};

export const isFiltered = (view) => names.some((name) => view[name]);

// `rows` as explain() makes them, in order of fit.
export function arrange(rows, view) {
  const order = orders[view.sort];
  return rows
    .filter((row) => names.every((name) => !view[name] || filters[name].passes(row, view[name])))
    .map((row) => ({ row, key: order(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

// [{name, choices}]: for each filter what occurs in the rows, unless it would keep them all. The choice in force is always there, so
// that no filter acts unseen; a filter without a choice is left out.
export function offers(rows, view) {
  return names
    .map((name) => {
      const { of, passes } = filters[name];
      const found = [...new Set([...rows.map(of), view[name]].filter(Boolean))].sort((a, b) => a - b || (a < b ? -1 : 1));
      return { name, choices: found.filter((choice) => choice === view[name] || !rows.every((row) => passes(row, choice))) };
    })
    .filter(({ choices }) => choices.length > 0);
}
