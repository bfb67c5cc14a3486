// The page in a frame as it is built, with and without a known address of the site.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { parentScriptText, writeEmbed } from '../../web/build/embed.mjs';
import { contentSecurityPolicy } from '../../web/page/policy.mjs';
import { assets, dist } from './support.mjs';

async function built(options) {
  const out = mkdtempSync(join(tmpdir(), 'vramfit-embed-'));
  try {
    mkdirSync(join(out, 'assets'));
    await writeEmbed(out, options);
    return readFileSync(join(out, 'embed.html'), 'utf8');
  } finally {
    rmSync(out, { recursive: true });
  }
}

test('where the site\'s address is known the original is the main page there', async () => {
  assert.match(await built({ minifier: 'esbuild', siteUrl: 'https://example.org/fit/' }), /<link rel="canonical" href="https:\/\/example\.org\/fit\/">/);
  assert.doesNotMatch(await built({ minifier: 'esbuild' }), /canonical/);
});

for (const minifier of ['esbuild', 'none']) {
  test(`nothing is left to fill in, nothing is inline, the policy is the site's: ${minifier}`, async () => {
    const page = await built({ minifier });
    assert.doesNotMatch(page, /\{\{|undefined|<style|<script(?![^>]*src=)| style=| on\w+=/);
    assert.ok(page.includes(`content="${contentSecurityPolicy}"`));
  });
}

test('beside the element a frame costs at most 3 KB, and the page around it at most 1 KB', async () => {
  const gzipped = (text) => gzipSync(text, { level: 9 }).length;
  const files = [join(dist, 'embed.html'), join(assets, 'embed.js'), join(assets, 'embed.css')].map((file) => readFileSync(file));
  assert.ok(files.reduce((sum, file) => sum + gzipped(file), 0) <= 3000);
  assert.equal(await parentScriptText({ minifier: 'esbuild' }), readFileSync(join(assets, 'embed-parent.js'), 'utf8'));
  assert.ok(gzipped(readFileSync(join(assets, 'embed-parent.js'))) <= 1000);
});
