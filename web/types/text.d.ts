// `vramfit/text`: a result in words. What is not listed here may change with any version.
import type { Catalog } from './catalog.js';
import type { Known } from './known.js';
import type { Locale } from './locale.js';
import type { CompartmentId, Result } from './result.js';
import type { Vramfit } from './calculator.js';

export type Language = 'en' | 'es' | 'pt-BR';
/** `auto`: each figure in the unit it was made in, GB by the rule and GiB by the worksheet. */
export type Units = 'auto' | 'GB' | 'GiB';

export const languages: readonly { lang: Language; name: string; path: string }[];

/** The language meant by `pt` or `es-MX`; `null` when there is none. */
export function matchLanguage(wanted: string | null | undefined): Language | null;

/** A language's sentences and ways to write figures. */
export interface Text {
  readonly lang: string;
  /** The tag whose region writes the figures: `es-MX`. */
  readonly formats: string;
  /** The message with that key, filled in. */
  t(key: string, values?: object): string;
}

export interface TextOptions {
  units?: Known<Units>;
  /** The tag whose region writes the figures; the language's own when left out. */
  formats?: string;
}

/** Loads a language; an unknown one is refused with a RangeError. */
export function loadText(lang: string, options?: TextOptions): Promise<Text>;

/** The same from sentences at hand: the default export of `vramfit/locales/LANG`. */
export function createText(locale: Locale, lang: string, options?: TextOptions): Text;

/** A figure as people read it: `String(figure)`, or number and unit apart. */
export interface Figure {
  number: string;
  unit: string;
  toString(): string;
}

export interface SpokenNotice {
  severity: 'error' | 'warning' | 'info';
  field: string;
  text: string;
}

interface Spoken {
  /** The answer in one sentence. */
  sentence: string;
  notices: SpokenNotice[];
  /** Canonical share string. */
  share: string;
  /** Date of the catalogue, in words. */
  catalogDate: string;
}

export interface SpokenRefusal extends Spoken {
  refused: true;
  state: 'refused';
}

export interface SpokenAnswer extends Spoken {
  refused: false;
  state: 'fits' | 'tight' | 'none';
  /** What to do when it is not a plain yes. */
  help: { title: string; lead?: string | null; items: string[]; changes?: string[]; note?: string | null } | null;
  /** What is not counted, and what to do about it. */
  incomplete: string | null;
  methods: SpokenMethod[];
  /** What sets rule and worksheet apart. */
  difference: string;
  /** All three side by side, when the answer goes by the engine method. */
  differences: { lead: string; columns: string[]; rows: { id: string; label: string; cells: (Figure | null)[]; says: string | null }[] } | null;
  /** What the engine will do, as its log will say it. */
  engine: {
    name: string; on: string; state: 'fits' | 'tight' | 'none'; cause: string | null; says: string | null; usable: number;
    log: { id: string; label: string; value: Figure | string; range: string | null }[];
    stacks: { number: number | null; sum: number; pieces: { id: string; bytes: number }[] }[];
  } | null;
  compartments: {
    title: string;
    rows: SpokenCompartment[];
    /** The sum of the rows. */
    need: Figure;
    needAll: Figure;
    /** How several GPUs share the model. */
    split: string | null;
  };
  /** Best first. */
  fit: SpokenFitRow[];
  cheapest: { gpus: string; cost: Figure } | null;
  /** What excludes a number of GPUs. */
  layoutNotes: string[];
  /** Titles of what the figures rest on. */
  sources: string[];
}

export interface SpokenMethod {
  id: 'rule' | 'worksheet' | 'engine';
  name: string;
  note: string;
  /** `null` where the engine was not asked. */
  total: Figure | null;
  /** The total is a lower bound. */
  least: boolean;
  range: string | null;
  /** The one the answer goes by. */
  used: boolean;
}

export interface SpokenCompartment {
  id: CompartmentId;
  label: string;
  perGpu: Figure;
  all: Figure;
  range: string | null;
  /** Percent of the whole. */
  share: string;
  terms: { text: string; bytes: Figure; source: string }[];
}

export interface SpokenFitRow {
  /** GPU id. */
  id: string;
  name: string;
  marketed: string;
  usable: string;
  price: { perGpu: Figure; note: string } | null;
  /** By an engine: why its smallest is only tight, or its largest does not hold it. */
  why: string | null;
  /** The fewest of them that hold it. */
  smallest: { count: number; verdict: 'fits' | 'tight'; gpus: string; free: string; cost: Figure | null } | null;
}

export type Explanation = SpokenAnswer | SpokenRefusal;

/** `vramfit`: the calculator that answered, to find out what settings would make an engine's answer a plain yes. */
export function explain(result: Result, catalog: Catalog, text: Text, vramfit?: Vramfit | null): Explanation;
