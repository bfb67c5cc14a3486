// A publisher's price list in words: whose prices are shown, and what is wrong with the list.
import { maxProviderLength, maxRows } from '../price_list.mjs';

export const pricesFrom = ({ provider, date }, { t, format }) => t('price_list.from', { provider, date: format.date(date) });

export function priceProblem({ row, id, field, value }, { t, format }) {
  const problem = t(`price_problem.${id}`, { field, value, length: maxProviderLength, rows: format.number(maxRows) });
  return t(row ? 'price_list.row' : id === 'unknown-key' ? 'price_list.head' : 'price_list.refused', { row, problem });
}
