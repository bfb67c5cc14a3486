// What the searchable fields find: every word typed must occur in id, name or family.
const matcher = (query) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (...texts) => {
    const hay = texts.join(' ').toLowerCase();
    return words.every((word) => hay.includes(word));
  };
};

// A size beside a name that does not already say it.
const sized = (id, name, size) => ({ id, name, note: name.includes(size.replace(' ', '')) ? '' : size });

function grouped(entries, groupOf, optionOf) {
  const groups = new Map();
  for (const entry of entries) {
    const group = groupOf(entry);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(optionOf(entry));
  }
  return [...groups].map(([group, options]) => ({ group, options }));
}

export function searchModels(catalog, query, { t, format }) {
  const matches = matcher(query);
  const found = catalog.models.filter((m) => matches(m.id, m.name, m.family));
  const bare = { group: '', options: [{ id: '', name: t('page.bare_model') }].filter((o) => matches(o.name)) };
  return [...grouped(found, (m) => m.family, (m) => sized(m.id, m.name, format.params(m.stated_params))), bare];
}

export function searchGpus(catalog, query, { t, format }) {
  const matches = matcher(query);
  const set = (g) => (g.vendor === 'apple' ? 'apple' : g.sets.find((s) => s !== 'article') ?? 'all');
  const found = catalog.gpus.filter((g) => matches(g.id, g.name, g.vendor));
  const none = { group: '', options: [{ id: '', name: t('page.none_chosen') }].filter((o) => matches(o.name)) };
  return [none, ...grouped(found, (g) => t(`choice.gpus.${set(g)}`), (g) => sized(g.id, g.name, String(format.bytes(g.marketed_gb * 1e9, 'GB'))))];
}
