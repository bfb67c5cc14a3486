// The rules of WCAG 2.2 AA that a machine can check, in every language, theme and state of the page.
import assert from 'node:assert/strict';

import { field, pageTest, pages, unfold, violations } from './support.mjs';

const states = {
  default: '',
  'several GPUs, worksheet': 'method=worksheet&model=deepseek-v3&count=8',
  'an engine, tight': 'method=engine&gpu=h200&count=1&sequences=64&context=32768',
  refused: 'model=nope&note=1',
  'nothing fits': 'model=kimi-k3&weights=bf16',
  'a warning at a field': 'context=-5&gpus=datacenter',
};

for (const lang of Object.keys(pages)) {
  for (const theme of ['light', 'dark']) {
    pageTest(`${lang}, ${theme}`, async ({ page, open }) => {
      for (const [name, share] of Object.entries(states)) {
        await open(`${share}&theme=${theme}`, lang);
        await unfold(page);
        assert.deepEqual(await violations(page), [], name);
        const toggles = await page.locator('[aria-pressed]').evaluateAll((all) => all.map((b) => b.getAttribute('aria-pressed')));
        assert.deepEqual(toggles.filter((state) => !['false', 'true'].includes(state)), [], `${name}: a toggle is pressed or it is not`);
      }
    });
  }
}

pageTest('with a list open', async ({ page, open }) => {
  await open();
  for (const key of ['model', 'gpu']) {
    await field(page, key).focus();
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await violations(page), [], key);
    await page.keyboard.press('Escape');
  }
});

pageTest('with an error at a field', async ({ page, open }) => {
  await open();
  await field(page, 'context').fill('abc');
  assert.deepEqual(await violations(page), []);
});

pageTest('narrow', { viewport: { width: 320, height: 740 } }, async ({ page, open }) => {
  await open('gpus=workstation&method=worksheet');
  await unfold(page);
  assert.deepEqual(await violations(page), []);
});

pageTest('before it is live', async ({ page, origin }) => {
  await page.route('**/*.{js,mjs}', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(`${origin}/pt-br/`);
  assert.deepEqual(await violations(page), []);
});

pageTest('the answer is announced', async ({ page, open }) => {
  await open();
  const region = page.locator('[data-region="answer"]');
  assert.deepEqual([await region.getAttribute('role'), await region.getAttribute('aria-live')], ['status', 'polite']);
  await region.evaluate((node) => { node.dataset.mark = '1'; });
  await field(page, 'weights').selectOption('bf16');
  assert.equal(await region.getAttribute('data-mark'), '1', 'the same region is filled anew, or nothing would be read out');
});
