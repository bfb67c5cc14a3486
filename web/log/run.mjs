// What one start of an engine has told so far: figures by the rank or device that printed them, and facts of its configuration.
import { quote } from './lines.mjs';

export const mib = 2 ** 20;
export const gib = 2 ** 30;

const units = { B: 1, KB: 1024, MB: mib, GB: gib, KiB: 1024, MiB: mib, GiB: gib, TiB: 1024 * gib };
export const toBytes = (number, unit) => Number(number) * units[unit];

// "1,096,000", as Python groups digits.
export const toNumber = (text) => Number(text.replaceAll(',', ''));

const mostFigures = 10000;

export class Run {
  figures = [];
  facts = {};
  problems = [];

  // `figure`: { id, bytes or number, rank, ... }; what is no number is no figure. No start prints more than some hundred.
  figure(figure, line, line_number) {
    const { bytes, number } = figure;
    if (!Number.isFinite(bytes ?? number) || this.figures.length >= mostFigures) return;
    this.figures.push({ ...figure, line_number, line: quote(line) });
  }

  fact(id, value, line, line_number) {
    if (value !== null && value !== undefined && value !== '' && !Number.isNaN(value)) this.facts[id] = { value, line_number, line: quote(line) };
  }

  problem(id, values, line, line_number) {
    if (this.problems.length < 20 && !this.problems.some((p) => p.id === id)) this.problems.push({ id, values, line_number, line: quote(line) });
  }

  get empty() {
    return this.figures.length === 0 && this.problems.length === 0;
  }
}

// A reader goes through the lines of one engine's log. It begins another run where the engine starts again; of those that told
// something the last one counts.
export class Reader {
  run = new Run();
  runs = 0;
  version = null;
  lastLine = 0;  // the last line that told something

  restart() {
    if (!this.run.empty) this.runs += 1;
    this.run = new Run();
  }

  // What finish() returns: `figures` one per id, of `rank` (null where there is one only) of so many.
  summary(figures, rank, ranks) {
    const { facts, problems } = this.run;
    return {
      engine: this.engine,
      version: this.version,
      runs: this.runs + 1,
      rank,
      ranks,
      figures: figures.map(({ rank: own, ...figure }) => (figure.bytes === undefined ? figure : { ...figure, bytes: Math.round(figure.bytes) })),
      facts,
      problems,
    };
  }

  // Of one rank's figures of one id the last counts, with the digits of an earlier one that says the same with more of them.
  static settle(figures) {
    return figures.reduce((before, now) => {
      if (!before) return now;
      const coarse = Math.max(before.step ?? 0, now.step ?? 0);
      const same = Math.abs((before.bytes ?? before.number) - (now.bytes ?? now.number)) <= coarse * 0.51;
      return same && (before.step ?? 0) <= (now.step ?? 0) ? before : now;
    }, null);
  }
}

// How exactly a printed number says what it says: 14.9889 to a ten-thousandth.
export const stepOf = (text) => (text.includes('.') ? 10 ** -(text.length - text.indexOf('.') - 1) : 1);

// Of figures by rank those of one rank: the tightest, for which the rest must make do. `tightness(of)` gives for a rank's figures by id
// what makes it tight, less being tighter; a figure that only others printed comes from them, the largest of it.
export function ofTightest(figures, tightness) {
  const ranks = new Map();
  for (const figure of figures) {
    const rank = figure.rank ?? '';
    if (!ranks.has(rank)) ranks.set(rank, new Map());
    const own = ranks.get(rank);
    own.set(figure.id, [...(own.get(figure.id) ?? []), figure]);
  }
  const settled = new Map([...ranks].map(([rank, own]) => [rank, new Map([...own].map(([id, list]) => [id, Reader.settle(list)]))]));
  let tightest = null;
  for (const [rank, own] of settled) {
    const tight = tightness(own);
    if (tight !== null && (tightest === null || tight < tightest.tight)) tightest = { rank, own, tight };
  }
  const chosen = tightest ?? [...settled].map(([rank, own]) => ({ rank, own }))[0];
  const all = new Map(chosen?.own);
  for (const own of settled.values()) {
    for (const [id, figure] of own) {
      const there = all.get(id);
      if (!chosen.own.has(id) && (!there || (figure.bytes ?? figure.number) > (there.bytes ?? there.number))) all.set(id, figure);
    }
  }
  // Others than those that hold weights only report.
  const holding = [...settled.values()].filter((own) => own.has('weights')).length;
  return { figures: [...all.values()].sort((a, b) => a.line_number - b.line_number), rank: chosen?.rank ?? '', ranks: Math.max(1, holding) };
}
