#!/usr/bin/env node
// Records what the product reaches on the cases that the project keeps: tests/accuracy/recorded.json, which CI compares with, and
// assets/accuracy/measured.json, which the site's accuracy page is made from. `./dev accuracy --record` calls it.
//   node record.mjs --dist DIST
// Prints what has got worse since the last record; to record it all the same is the caller's decision, and shows in the diff.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { read_fitted } from '../../web/cli/accuracy/fitted.mjs';
import { published, published_text } from '../../web/cli/accuracy/publish.mjs';
import { measuredFile, recordedFile, recordOf, runCases, worse } from './recording.mjs';

const [flag, dist, ...rest] = process.argv.slice(2);
if (flag !== '--dist' || !dist || rest.length > 0) {
  process.stderr.write('usage: record.mjs --dist DIST\n');
  process.exit(64);
}

const result = await runCases(dist);
const failed = result.skipped.filter((s) => /^(this program failed|malformed)/.test(s.reason));
if (failed.length > 0) {
  process.stderr.write(`${failed.map((s) => `${s.file}:${s.line} ${s.id}: ${s.reason}`).join('\n')}\n`);
  process.exit(1);
}
const record = recordOf(result);
const before = existsSync(recordedFile) ? JSON.parse(readFileSync(recordedFile, 'utf8')) : null;
const messages = before ? worse(before, record, result) : [];
for (const message of messages) process.stdout.write(`worse: ${message}\n`);
writeFileSync(recordedFile, published_text(record));

// The date is the figures': it stays where they stay.
const old = JSON.parse(readFileSync(measuredFile, 'utf8'));
const now = published(result, new Date().toISOString().slice(0, 10), read_fitted());
const same = JSON.stringify({ ...now, date: old.date }) === JSON.stringify(old);
if (!same) writeFileSync(measuredFile, published_text(now));
process.stdout.write(`${record.cases.length} cases recorded, ${messages.length} figures worse than before${same ? '; nothing published has changed' : ''}\n`);
