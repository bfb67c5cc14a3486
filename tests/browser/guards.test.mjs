// The guards of support.mjs themselves: what every other test relies on to notice.
import assert from 'node:assert/strict';

import { pageTest } from './support.mjs';

pageTest('an error in the console is noticed', { expect: [/^console error: odd$/] }, async ({ page, open }) => {
  await open();
  await page.evaluate(() => console.error('odd'));
});

pageTest('an uncaught error is noticed', { expect: [/^error: thrown$/] }, async ({ page, open, context }) => {
  await open();
  const seen = context.waitForEvent('weberror');
  await page.evaluate(() => { queueMicrotask(() => { throw new Error('thrown'); }); });
  await seen;
});

pageTest('a request to another origin and its refusal by the policy are noticed', { expect: [/^request elsewhere: http:\/\/localhost:9\//, /^policy: img-src http:\/\/localhost:9/, /^console error: .*Content Security Policy/] }, async ({ page, open, context }) => {
  await open();
  const said = context.waitForEvent('console');
  await page.evaluate(() => new Promise((done) => { const image = new Image(); image.onerror = done; image.src = 'http://localhost:9/dot.png'; }));
  await said;
});

pageTest('a request that the policy would let through is noticed', { bypassCSP: true, expect: [/^request elsewhere: http:\/\/127\.0\.0\.1:9\/$/, /^console error/] }, async ({ page, open, context }) => {
  await open();
  const said = context.waitForEvent('console');
  await page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => {}));
  await said;
});

pageTest('inline scripts and styles do not run', { expect: [/^policy: script-src-elem inline/, /^policy: style-src-elem inline/, /^console error/] }, async ({ page, open }) => {
  await open();
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    const style = document.createElement('style');
    style.textContent = 'body { color: rgb(1, 2, 3) }';
    document.body.append(script, style);
    return [window.ran ?? false, getComputedStyle(document.body).color === 'rgb(1, 2, 3)'];
  });
  assert.deepEqual(ran, [false, false]);
});

pageTest('a missing file is noticed', { expect: [/^answer 404: .*\/assets\/nothing\.json$/, /^console error/] }, async ({ page, open }) => {
  await open();
  await page.evaluate(() => fetch('assets/nothing.json'));
});
