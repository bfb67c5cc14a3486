// Lighthouse on the site as it is published: accessibility, best practices and search engines without a point lost. Performance depends
// on the machine and what else it does: ./dev bench reports it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { serve } from '../../web/cli/serve.mjs';
import { audit } from '../bench/lighthouse.mjs';
import { root } from '../web/support.mjs';

let folder, site;

// A build that knows its address: canonical links and the languages' are part of what is looked at.
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vramfit-lighthouse-'));
  const out = join(folder, 'site');
  mkdirSync(out);
  site = await serve(out, 0);
  const made = join(root, 'build', 'wasm');
  assert.ok(existsSync(join(made, 'web', 'vramfit-core.wasm')), 'build/wasm is not built: run ./dev build');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'web', 'build', 'main.mjs'), '--core', join(made, 'web'), '--canvas', join(made, 'shell'), '--licenses', join(made, 'generated', 'licenses.txt'),
    '--sources', join(made, 'generated', 'sources.json'), '--out', out, '--site-url', site.origin], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

after(async () => {
  await site?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const categories = ['accessibility', 'best-practices', 'seo'];

for (const path of ['', 'es/', 'docs/numbers.html', 'pt-br/docs/links.html']) {
  test(`/${path}`, { timeout: 300000 }, async () => {
    const { scores, failed } = await audit(`${site.origin}/${path}`, { categories });
    assert.deepEqual(scores, Object.fromEntries(categories.map((id) => [id, 100])), JSON.stringify(failed));
  });
}
