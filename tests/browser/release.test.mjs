// The release: what is in its archives works below any path, and is the same whoever makes it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { unzipSync } from 'fflate';

import { filesBelow } from '../../web/build/offline.mjs';
import { becomesReady } from './canvas_support.mjs';
import { dist, locales, pages, pageTest, root, settled, value } from './support.mjs';

const out = mkdtempSync(join(tmpdir(), 'vramfit-release-'));
after(() => rmSync(out, { recursive: true }));

const release = (into, zone) => execFileSync(process.execPath, [join(root, 'web', 'build', 'release.mjs'), '--dist', dist, '--out', into], { env: { ...process.env, TZ: zone }, encoding: 'utf8' });
const archive = (end) => join(out, readdirSync(out).find((file) => file.endsWith(end)));

// The archive's one folder.
function unpack(into) {
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['-xzf', archive('.tar.gz'), '-C', into, '--strip-components=1']);
}

before(() => release(out, 'America/Bogota'));

test('the same site gives the same bytes, of which the hashes are told', () => {
  const again = join(out, 'again');
  assert.equal(release(again, 'Asia/Tokyo').trim(), readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim());
  const lines = readFileSync(join(again, 'SHA256SUMS'), 'utf8').trim().split('\n').map((line) => line.split('  '));
  assert.deepEqual(lines.map(([, file]) => file).sort(), readdirSync(again).filter((file) => file !== 'SHA256SUMS').sort());
  for (const [hash, file] of lines) {
    for (const folder of [again, out]) assert.equal(createHash('sha256').update(readFileSync(join(folder, file))).digest('hex'), hash, file);
  }
});

test('both archives hold the whole site and the licence in one folder, owned by nobody', () => {
  const folder = join(out, 'unpacked');
  unpack(folder);
  const files = filesBelow(folder);
  assert.deepEqual(files, [...filesBelow(dist), 'LICENSE'].sort());
  for (const file of files) if (file !== 'LICENSE') assert.ok(readFileSync(join(folder, file)).equals(readFileSync(join(dist, file))), file);
  const top = archive('.zip').split('/').at(-1).replace('.zip', '');
  const zipped = unzipSync(readFileSync(archive('.zip')));
  assert.deepEqual(Object.keys(zipped).sort(), files.map((file) => `${top}/${file}`).sort());
  for (const file of files) assert.ok(readFileSync(join(folder, file)).equals(zipped[`${top}/${file}`]), file);
  const owners = execFileSync('tar', ['--numeric-owner', '-tvzf', archive('.tar.gz')], { encoding: 'utf8' }).trim().split('\n');
  for (const line of owners) assert.match(line, /^-rw-r--r-- +(0\/0|\d+ 0 +0) /);
  assert.ok(readFileSync(join(out, 'vramfit.html')).equals(readFileSync(join(folder, 'vramfit.html'))));
});

pageTest('it works below any path, without an address that leads nowhere', { own: 'some/deep/path', fill: unpack }, async ({ page, site, open }) => {
  const seen = new Set();
  for (const lang of Object.keys(pages)) {
    await open('model=qwen3-32b&weights=int8', lang);
    assert.equal(await page.title(), locales[lang].page.title);
    assert.equal(await value(page, 'model'), 'Qwen3 32B');
    await settled(page);
    await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
    await becomesReady(page);
    await page.goto(`${site.at}${pages[lang]}canvas.html`);
    await becomesReady(page);
    // Every page that a page leads to, and all that these name.
    const queue = [`${site.at}${pages[lang]}`];
    for (const at of queue) {
      if (seen.has(at)) continue;
      seen.add(at);
      const response = await page.request.get(at);
      assert.equal(response.status(), 200, at);
      if (!/text\/html/.test(response.headers()['content-type'])) continue;
      for (const [, href] of (await response.text()).matchAll(/ (?:href|src)="([^"#]+)[^"]*"/g)) {
        const { href: next, protocol } = new URL(href.replaceAll('&amp;', '&'), at);
        if (!/^https?:/.test(protocol) || !/^(\.|\w|\/(?!\/))/.test(href) || /^https?:/.test(href)) continue;
        assert.ok(next.startsWith(site.at), `${at} leads out of the site's folder: ${href}`);
        queue.push(next.split(/[?#]/)[0]);
      }
    }
  }
  assert.ok(seen.size > 20, `${seen.size} addresses`);
});
