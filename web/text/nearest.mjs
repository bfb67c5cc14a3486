// What somebody may have meant by an id that nobody knows: the entries that share the most letter pairs with it.
const pairs = (text) => {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, i) => plain.slice(i, i + 2)));
};

function likeness(a, b) {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size || 1);
}

// Up to `most` ids of `entries`, the nearest first; none that is nothing like it.
export function nearest(typed, entries, most = 3) {
  const wanted = pairs(typed);
  return entries
    .map(({ id, name }) => ({ id, score: Math.max(likeness(wanted, pairs(id)), likeness(wanted, pairs(name))) }))
    .filter(({ score }) => score >= 0.45)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ id }) => id);
}
