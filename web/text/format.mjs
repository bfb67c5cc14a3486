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

const dollars = { style: 'currency', currency: 'USD' };

// Whether figures as `tag` has them can be written and read here: Western digits in threes, and the same marks for prices as for other
// numbers. False for what is no language tag.
export function writable(tag) {
  try {
    const plain = new Intl.NumberFormat(tag).format(1234567.89);
    return /^1\D234\D567[.,]89$/.test(plain) && new Intl.NumberFormat(tag, dollars).format(1234567.89).includes(plain);
  } catch {
    return false;
  }
}

// The unit each method counts in.
export const ownUnit = (method) => (method === 'rule' ? 'GB' : 'GiB');

// `lang` is the language of lists, `formats` the tag whose region writes the figures.
// `units`: auto keeps each figure in the unit it was made in (the rule's decimal GB, the worksheet's GiB).
export function createFormat(lang, units = 'auto', formats = lang) {
  const numbers = new Map();
  function number(value, digits = 0) {
    if (!numbers.has(digits)) numbers.set(digits, new Intl.NumberFormat(formats, { maximumFractionDigits: digits }));
    return numbers.get(digits).format(value);
  }
  // One decimal below a hundred, none above.
  const measured = (value) => number(value, Math.abs(value) < 100 ? 1 : 0);
  const prices = new Intl.NumberFormat(formats, dollars);
  const percents = new Intl.NumberFormat(formats, { style: 'percent', maximumFractionDigits: 1 });
  const wholePercents = new Intl.NumberFormat(formats, { style: 'percent', maximumFractionDigits: 0 });
  const lists = { conjunction: new Intl.ListFormat(lang, { type: 'conjunction' }), disjunction: new Intl.ListFormat(lang, { type: 'disjunction' }) };
  // Some regions' medium dates are all digits, in either order: the month by name leaves no doubt.
  const dates = new Intl.DateTimeFormat(formats, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });

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
    usd: (value) => prices.format(value),
    usdPerHour: (value) => new Figure(prices.format(value), '/h', ''),
    date: (iso) => dates.format(new Date(`${iso}T00:00:00Z`)),
    list: (items, type = 'disjunction') => lists[type].format(items.map(String)),
  };
}
