// Rows in, findings out.
import { fit } from './fit.mjs';
import { gguf } from './gguf.mjs';
import { GpuMatch } from './gpu_match.mjs';
import { ModelMatch } from './model_match.mjs';
import { Product } from './product.mjs';
import { engine_family, Records } from './records.mjs';
import { row_kind } from './row_kind.mjs';
import { serving } from './serving.mjs';
import { speed } from './speed.mjs';
import { subject } from './subject.mjs';
import { training } from './training.mjs';

const comparers = { serving, gguf, training, fit, speed };

// `core`: {estimate, catalog} returning plain objects. `files`: [{file, rows, bad}]. `hub_ids`: {catalogue id: hub id}.
export function run(core, files, hub_ids) {
  const product = new Product(core);
  const tools = { product, models: new ModelMatch(product.catalog.models, hub_ids), gpus: new GpuMatch(product) };
  const records = new Records();
  const rows = files.flatMap((f) =>
    f.rows.map(({ file, line, id, row }) => ({
      file,
      line,
      id,
      data: row,
      kind: row_kind(row),
      engine: engine_family(row.engine),
      basis: null,
      assumed: [],
    })),
  );
  for (const row of rows) {
    try {
      one(row, tools, records);
    } catch (error) {
      records.skip(row, `this program failed: ${error.message}`);
    }
  }
  records.finish(rows);
  const bad = files.flatMap((f) => f.bad);
  const skipped_in = (file) => records.skipped.filter((s) => s.file === file).length;
  return {
    version: product.catalog.version,
    catalog_date: product.catalog.date,
    files: files.map((f) => ({
      file: f.file,
      rows: f.rows.length,
      used: f.rows.length - skipped_in(f.file),
      skipped: skipped_in(f.file),
      malformed: f.bad.length,
    })),
    comparisons: records.comparisons,
    verdicts: records.verdicts,
    skipped: [...bad.map((b) => ({ ...b, kind: null })), ...records.skipped],
    left_out: records.left_out,
  };
}

function one(row, tools, records) {
  if (!row.kind) return records.skip(row, 'kind of row not recognised');
  if (row.kind !== 'speed') {
    const about = subject(row.data, tools);
    if (about.reason) return records.skip(row, about.reason);
    Object.assign(row, { subject: about, basis: about.basis, assumed: about.assumed });
  }
  return comparers[row.kind](row, tools, records);
}
