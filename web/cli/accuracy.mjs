#!/usr/bin/env node
// Runs the product against measured cases and prints how far off it is, per engine and compartment.
//   node accuracy.mjs --dist DIST [--json] [--worst N] [--verbose] [--publish OUT.json] FILE.jsonl ...
// --publish also writes a summary, of the form of assets/accuracy/measured.json. DIST is the built site: its assets hold the module, and
// sources.json, whose hub ids help to match names.
import { writeFileSync } from 'node:fs';
import { read_fitted } from './accuracy/fitted.mjs';
import { load_product } from './accuracy/load.mjs';
import { published, published_text } from './accuracy/publish.mjs';
import { read_rows } from './accuracy/read_rows.mjs';
import { json_report, text_report } from './accuracy/report.mjs';
import { run } from './accuracy/run.mjs';
import './broken_pipe.mjs';

const usage = 'usage: accuracy.mjs --dist DIST [--json] [--worst N] [--verbose] [--publish OUT.json] FILE.jsonl ...';
const exit_usage = 64;
const exit_no_input = 66;
const exit_no_output = 73;

function stop(code, text) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

function parse(argv) {
  const options = { dist: null, json: false, verbose: false, worst: 0, publish: null, files: [] };
  for (let i = 0; i < argv.length; ++i) {
    const [flag, inline] = /^--[^=]+=/.test(argv[i])
      ? [argv[i].slice(0, argv[i].indexOf('=')), argv[i].slice(argv[i].indexOf('=') + 1)]
      : [argv[i], null];
    const value = () => inline ?? argv[++i];
    if (flag === '--help' || flag === '-h') {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    } else if (flag === '--dist') options.dist = value();
    else if (flag === '--json') options.json = true;
    else if (flag === '--verbose') options.verbose = true;
    else if (flag === '--publish') options.publish = value() ?? '';
    else if (flag === '--worst') options.worst = Number(value());
    else if (flag.startsWith('-') && flag !== '-') stop(exit_usage, `unknown option ${flag}\n${usage}`);
    else options.files.push(argv[i]);
  }
  if (!options.dist || options.files.length === 0 || options.publish === '' || !Number.isInteger(options.worst) || options.worst < 0) stop(exit_usage, usage);
  return options;
}

function read(path, how) {
  try {
    return how(path);
  } catch (error) {
    return stop(exit_no_input, `cannot read ${path}: ${error.code ?? error.message}`);
  }
}

const options = parse(process.argv.slice(2));
const files = options.files.map((file) => ({ file, ...read(file, read_rows) }));
const unread = (error) => stop(exit_no_input, `cannot read ${error.path ?? options.dist}: ${error.code ?? error.message}`);
const { core, hub_ids } = await load_product(options.dist).catch(unread);
const result = run(core, files, hub_ids);
if (options.publish) {
  try {
    writeFileSync(options.publish, published_text(published(result, new Date().toISOString().slice(0, 10), read_fitted())));
  } catch (error) {
    stop(exit_no_output, `cannot write ${options.publish}: ${error.code ?? error.message}`);
  }
}
process.stdout.write(`${options.json ? json_report(result) : text_report(result, options)}\n`);
