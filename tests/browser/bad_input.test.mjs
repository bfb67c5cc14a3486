// Bad input is named where it stands, the rest of the state is kept, and nothing breaks.
import assert from 'node:assert/strict';

import { address, drawn, field, fieldError, notices, pageTest, ready, sentence, typeInto, value } from './support.mjs';

pageTest('an unknown model', async ({ page, open }) => {
  await open('model=lama-3.1-70b&weights=bf16&context=8192');
  assert.match(await sentence(page), /^No figure yet: There is no model “lama-3\.1-70b” in the catalogue/);
  assert.match(await fieldError(page, 'model'), /“lama-3\.1-70b”/);
  assert.equal(await field(page, 'model').getAttribute('aria-invalid'), 'true');
  assert.deepEqual([await value(page, 'weights'), await value(page, 'context')], ['bf16', '8192']);
  assert.equal(await address(page), '?model=lama-3.1-70b&weights=bf16&context=8192');
  for (const region of ['methods', 'compartments', 'fit', 'precision']) assert.ok(await page.locator(`[data-region="${region}"]`).isHidden(), region);
  await field(page, 'model').fill('llama 3.1 70b');
  await field(page, 'model').press('Enter');
  assert.match(await sentence(page), /^Llama 3\.1 70B in BF16/);
  assert.equal(await field(page, 'model').getAttribute('aria-invalid'), null);
});

for (const [lang, words] of [['en', /“-5” is out of range; 1 is used/], ['es', /“-5” está fuera de rango; se usa 1/], ['pt-BR', /“-5” está fora da faixa; foi usado 1/]]) {
  pageTest(`a negative context, said in ${lang}`, async ({ page, open }) => {
    await open('context=-5&weights=bf16', lang);
    assert.match(await fieldError(page, 'context'), words);
    assert.ok((await notices(page)).some((n) => words.test(n)));
    assert.equal(await value(page, 'weights'), 'bf16');
    assert.equal(await address(page), '?weights=bf16&context=1');
  });
}

pageTest('a count of zero', async ({ page, open }) => {
  await open('count=0&weights=bf16');
  assert.ok((await notices(page)).some((n) => /Number of GPUs: “0” is out of range; 1 is used/.test(n)));
  assert.match(await sentence(page), /^Llama 3\.1 70B in BF16/);
});

pageTest('a link of ten thousand characters', async ({ page, open }) => {
  await open(`weights=bf16&note=${'x'.repeat(10000)}&context=8192`);
  assert.ok((await notices(page)).some((n) => /The link is too long/.test(n)));
  assert.match(await sentence(page), /^Llama 3\.1 70B in BF16: 168 GB/);
  assert.equal(await value(page, 'weights'), 'bf16');
});

pageTest('rubbish as a model', async ({ page, open }) => {
  for (const rubbish of ['%', '%zz', '%E0%A4%A', '%C3%28', 'a%00b', '%F0%9F%92%A9', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>']) {
    await open(`model=${rubbish}&weights=bf16`);
    assert.match(await sentence(page), /^No figure yet: There is no model/, rubbish);
    assert.equal(await value(page, 'weights'), 'bf16', rubbish);
    assert.equal(await page.locator('.results img, .results script').count(), 0, rubbish);
    const link = await address(page);
    await page.reload();
    await ready(page);
    assert.equal(await address(page), link, `${rubbish}: what the page writes it reads back`);
  }
});

pageTest('rubbish everywhere else', async ({ page, open }) => {
  await open('&&&==&%&%zz=%zz&gpus=,,:&count=%20&prices=&sequences=1e9&lang=xx&theme=pink&units=furlong&weights=bf16');
  assert.match(await sentence(page), /./);
  assert.equal(await value(page, 'weights'), 'bf16');
  assert.equal(await page.locator('#units').inputValue(), 'auto');
  assert.equal(await page.locator('#theme').inputValue(), 'auto');
});

pageTest('text in a number field stays, is named, and changes nothing', async ({ page, open }) => {
  await open('weights=bf16');
  const before = await sentence(page);
  await typeInto(page, 'context', 'plenty');
  assert.equal(await fieldError(page, 'context'), 'Not a number. Examples: 4096, 32k, 1.5');
  assert.equal(await field(page, 'context').getAttribute('aria-invalid'), 'true');
  assert.equal(await value(page, 'context'), 'plenty');
  assert.equal(await sentence(page), before);
  assert.equal(await address(page), '?weights=bf16');
  await field(page, 'sequences').fill('2');
  await drawn(page);
  assert.equal(await fieldError(page, 'context'), 'Not a number. Examples: 4096, 32k, 1.5', 'until it is put right');
  await typeInto(page, 'context', '8k');
  assert.ok(await page.locator('#e-context').isHidden());
  assert.equal(await value(page, 'context'), '8192');
});

pageTest('a figure out of range is brought into it', async ({ page, open }) => {
  await open();
  await field(page, 'sequences').fill('99999999');
  await drawn(page);
  assert.match(await fieldError(page, 'sequences'), /“99999999” is out of range; 65,536 is used/);
  await field(page, 'sequences').press('Tab');
  assert.equal(await value(page, 'sequences'), '65536');
});

pageTest('a link of a newer version is refused, not misread', async ({ page, open }) => {
  await open('v=2&weights=bf16');
  assert.match(await sentence(page), /newer version \(2\)/);
});
