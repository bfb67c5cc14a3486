// Whose price, of which kind where it is not a plain on-demand offer, and when.
const plainKinds = ['on-demand', 'publisher', 'own'];
export function priceNote({ book, provider, kind, date }, { t, has, format }) {
  const who = has(`choice.prices.${book}`) ? t(`choice.prices.${book}`) : provider || book;
  return [who, !plainKinds.includes(kind) && !(book === 'reference') && t(`price_kind.${kind}`), date && format.date(date)].filter(Boolean).join(', ');
}
