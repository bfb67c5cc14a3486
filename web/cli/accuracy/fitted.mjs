// Which cases the engine method's constants were fitted on (assets/accuracy/fitted.json): an error on those says how well the constants
// fit, an error on the others how well they hold elsewhere.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const fitted_file = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'assets', 'accuracy', 'fitted.json');

// -> [{engine, compartments, source, constants}]: `source` is how the cases' own sources begin, `constants` the source ids of what was
// fitted, `compartments` the quantities that follow from it.
export const read_fitted = () => JSON.parse(readFileSync(fitted_file, 'utf8'));

export const is_fitted = (list) => (c) =>
  c.method === 'engine' &&
  list.some((f) => f.engine === c.engine && f.compartments.includes(c.compartment) && (c.source ?? '').startsWith(f.source));
