// Numbers as people read them. A Figure keeps number and unit apart for those who set them in different sizes.
export class Figure {
  kind = 'figure';
  constructor(number, unit, gap = ' ') {
    Object.assign(this, { number, unit, gap });
  }
  toString() {
    return this.unit ? this.number + this.gap + this.unit : this.number;
  }
}

// A name that must not break over lines.
export class Name {
  kind = 'name';
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

const systems = {
  GB: { base: 1000, names: ['B', 'kB', 'MB', 'GB'] },
  GiB: { base: 1024, names: ['B', 'KiB', 'MiB', 'GiB'] },
};

// The unit each method counts in.
export const ownUnit = (method) => (method === 'worksheet' ? 'GiB' : 'GB');

// `units`: auto keeps each figure in the unit it was made in (the rule's decimal GB, the worksheet's GiB).
export function createFormat(lang, units = 'auto') {
  const formats = new Map();
  function number(value, digits = 0) {
    if (!formats.has(digits)) formats.set(digits, new Intl.NumberFormat(lang, { maximumFractionDigits: digits }));
    return formats.get(digits).format(value);
  }
  // One decimal below a hundred, none above.
  const measured = (value) => number(value, Math.abs(value) < 100 ? 1 : 0);
  const dollars = new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' });
  const percents = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 });
  const wholePercents = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 0 });
  const lists = { conjunction: new Intl.ListFormat(lang, { type: 'conjunction' }), disjunction: new Intl.ListFormat(lang, { type: 'disjunction' }) };
  const dates = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' });

  const bytes = (value, own = 'GB') => sized(value, Object.hasOwn(systems, units) ? units : own);
  function sized(value, system) {
    const { base, names } = systems[system];
    let power = names.length - 1;
    while (power > 0 && Math.abs(value) < base ** power * 0.095) power -= 1;
    if (value === 0) power = names.length - 1;
    return new Figure(measured(value / base ** power), names[power]);
  }

  function params(value) {
    for (const [suffix, factor] of [['T', 1e12], ['B', 1e9], ['M', 1e6]]) {
      if (value >= factor) return number(value / factor, 2) + suffix;
    }
    return number(value);
  }

  return {
    number,
    bytes,
    in: (system, value) => sized(value, system),
    params,
    percent: (value) => percents.format(value / 100),
    share: (value) => (value > 0 && value < 0.005 ? `<${wholePercents.format(0.01)}` : wholePercents.format(value)),
    usd: (value) => dollars.format(value),
    usdPerHour: (value) => new Figure(dollars.format(value), '/h', ''),
    date: (iso) => dates.format(new Date(`${iso}T00:00:00Z`)),
    list: (items, type = 'disjunction') => lists[type].format(items.map(String)),
  };
}
