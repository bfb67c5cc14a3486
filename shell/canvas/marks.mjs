// How a region writes figures, as lines of the table that the canvas speaks with: `marks.<id><TAB>text`, which shell/text/numbers.h
// reads. They are what Intl says, so that page and canvas agree in whichever browser. `grouped` is the number of digits from which on
// groups are set apart; a figure goes where {n} stands; {dd} is a day of two digits.
export function marksOf(tag) {
  const number = new Intl.NumberFormat(tag);
  const date = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
  const styled = (options) => new Intl.NumberFormat(tag, { ...options, minimumFractionDigits: 0, maximumFractionDigits: 0 }).format(options.style === 'percent' ? 0.07 : 7).replace('7', '{n}');
  const part = (parts, type) => parts.find((p) => p.type === type)?.value ?? '';
  const inMonth = (month) => date.formatToParts(Date.UTC(2033, month, 5));
  const marks = {
    decimal: part(number.formatToParts(0.5), 'decimal'),
    group: part(number.formatToParts(12345), 'group'),
    grouped: number.format(1234).length > 4 ? 4 : 5,
    usd: styled({ style: 'currency', currency: 'USD' }),
    percent: styled({ style: 'percent' }),
    date: inMonth(0).map(({ type, value }) => (type === 'literal' ? value : type === 'day' && value.length > 1 ? '{dd}' : `{${type}}`)).join(''),
  };
  for (let month = 1; month <= 12; month += 1) marks[`month${String(month).padStart(2, '0')}`] = part(inMonth(month - 1), 'month');
  return Object.entries(marks).map(([id, text]) => `marks.${id}\t${text}\n`).join('');
}
