// What the canvas puts on the screen: not blank, in the page's colours, as sharp as the screen is, at any size.
import assert from 'node:assert/strict';

import { becomesReady, cssColour, framesDrawn, openCanvas, openHost, picture, still, widget } from './canvas_support.mjs';
import { becomes, choose, pageTest } from './support.mjs';

const buffer = (page, at = 'vramfit-canvas') => page.locator(at).evaluate((element) => {
  const canvas = element.shadowRoot.querySelector('canvas');
  const { width, height } = canvas.getBoundingClientRect();
  return { wide: canvas.width, high: canvas.height, width, height, ratio: window.devicePixelRatio };
});

async function fitsScreen(page, ratio) {
  await becomes(async () => (await buffer(page)).ratio, ratio);
  await becomes(async () => {
    const { wide, high, width, height } = await buffer(page);
    return Math.abs(wide - width * ratio) <= 1 && Math.abs(high - height * ratio) <= 1;
  }, true, `one pixel for each of the screen's at ${ratio}`);
}

// The colours in a row of pixels through a widget's middle.
async function row(page, image, id) {
  const box = await page.locator('vramfit-canvas').boundingBox();
  const w = await widget(page, id);
  const ratio = image.width / box.width;
  const y = Math.round((w.cy - box.y) * ratio);
  return new Set(Array.from({ length: image.width }, (_, x) => image.at(x, y)));
}

pageTest('it shows something, in the colours of the page, and an edit changes it', async ({ page }) => {
  await openCanvas(page, 'method=worksheet');
  const before = await picture(page);
  assert.ok(before.colours.size > 100, `${before.colours.size} colours`);
  for (const name of ['surface', 'ink', 'accent', 'c-weights', 'c-kv_cache', 'c-activations', 'c-reserve']) {
    assert.ok(before.colours.get(await cssColour(page, `--${name}`)) > 100, name);
  }
  assert.equal(before.colours.get(await cssColour(page, '--c-gradients')) ?? 0, 0, 'and in none that is not there');
  await choose(page, 'weights', 'bf16');
  const after = await picture(page);
  assert.notDeepEqual(after.bytes, before.bytes);
  await choose(page, 'weights', 'fp8');
  assert.deepEqual((await picture(page)).bytes, before.bytes, 'back again it is the same');
});

for (const ratio of [1, 1.5, 2]) {
  pageTest(`sharp at ${ratio} pixels a CSS pixel`, { deviceScaleFactor: ratio, viewport: { width: 900, height: 700 } }, async ({ page }) => {
    await openCanvas(page);
    await page.locator('vramfit-canvas').evaluate((canvas) => { canvas.style.width = '800px'; });  // whole pixels at each ratio
    await fitsScreen(page, ratio);
    const image = await picture(page);
    // Where edges blurred there would be colours in between.
    const seen = await row(page, image, 'bar/1/weights');
    assert.ok(seen.size >= 4 && seen.size <= 8, `${[...seen]}`);
    assert.ok(seen.has(await cssColour(page, '--c-weights')) && seen.has(await cssColour(page, '--c-margin')));
  });
}

pageTest('another ratio while it runs is followed', async ({ page, context }) => {
  await openCanvas(page);
  const screen = await context.newCDPSession(page);
  const wide = (await buffer(page)).width;
  for (const [i, ratio] of [2, 1.25, 1].entries()) {
    // An emulated screen tells of a new ratio only with a new size; the canvas keeps its own.
    await screen.send('Emulation.setDeviceMetricsOverride', { width: 1290 + i, height: 900, deviceScaleFactor: ratio, mobile: false });
    assert.equal((await buffer(page)).width, wide);
    await fitsScreen(page, ratio);
    await still(page);
    const { colours } = await picture(page, null);
    assert.ok(colours.get(await cssColour(page, '--c-weights')) > 1000);
  }
});

pageTest('zooming the page is followed', async ({ page, context }) => {
  await openCanvas(page);
  const screen = await context.newCDPSession(page);
  // As Ctrl and + do: more pixels a CSS pixel, fewer CSS pixels a window.
  await screen.send('Emulation.setDeviceMetricsOverride', { width: 853, height: 600, deviceScaleFactor: 1.5, mobile: false });
  await fitsScreen(page, 1.5);
  await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
  await still(page);
  const image = await picture(page, null);  // a picture of the element alone would resize the window
  assert.ok(image.colours.get(await cssColour(page, '--c-weights')) > 1000);
});

pageTest('a new size is drawn before it is shown', async ({ page }) => {
  await openCanvas(page);
  await still(page);
  const seen = await page.evaluate(async () => {
    const element = document.querySelector('vramfit-canvas');
    const canvas = element.shadowRoot.querySelector('canvas');
    const frames = [];
    const next = () => new Promise((done) => { requestAnimationFrame(done); });
    for (const width of [700, 710, 650, 900, 500, 1000]) {
      element.style.width = `${width}px`;
      const before = element.framesDrawn;
      await next();  // laid out, and told of the size, after this
      await next();  // this runs before anything that was put off to a frame
      frames.push({ width, wide: canvas.width, drawn: element.framesDrawn > before });
    }
    return frames;
  });
  for (const { width, wide, drawn } of seen) assert.ok(wide === width && drawn, `${width}: ${wide}, ${drawn ? 'drawn' : 'blank'}`);
  await page.locator('vramfit-canvas').evaluate((element) => { element.style.width = ''; });
});

pageTest('a size that changed out of sight is right when it is seen again', async ({ page }) => {
  await openCanvas(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.waitForFunction(() => document.getElementById('canvas').getBoundingClientRect().top > window.innerHeight);
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
  await fitsScreen(page, 1);
  const { colours } = await picture(page);
  assert.ok(colours.get(await cssColour(page, '--c-weights')) > 1000);
});

pageTest('light and dark are the page\'s', async ({ page }) => {
  const corner = async () => {
    const image = await picture(page);
    return [image.at(2, image.height - 3), (image.colours.get(await cssColour(page, '--c-weights')) ?? 0) > 1000];
  };
  const surfaces = { light: '#fbfbf9', dark: '#15181a' };
  await openCanvas(page, 'theme=dark');
  assert.deepEqual(await corner(), [surfaces.dark, true]);
  await page.locator('#theme').selectOption('light');
  assert.deepEqual(await corner(), [surfaces.light, true]);
  await page.locator('#theme').selectOption('auto');
  for (const colorScheme of ['dark', 'light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await corner(), [surfaces[colorScheme], true]);
  }
});

pageTest('colours of a host are taken, in any notation; what it does not give is built in', async ({ page, origin }) => {
  await openHost(page, origin);
  for (const id of ['#one', '#two']) await becomesReady(page, id);
  const plain = await picture(page, '#one');
  assert.equal(plain.at(2, plain.height - 3), '#fffbe6', 'it lies on the page\'s own background');
  for (const own of ['#1f5fa8', '#0b6b74']) assert.ok(plain.colours.get(own) > 50, own);
  const give = (on, colours) => page.locator(on).evaluate((node, values) => { for (const [name, value] of Object.entries(values)) node.style.setProperty(name, value); }, colours);
  await give('html', { '--accent': 'rebeccapurple', '--c-weights': 'oklch(0.7 0.2 30)', '--c-margin': 'color-mix(in srgb, red 50%, blue)' });
  let image = await picture(page, '#one');
  for (const name of ['--accent', '--c-weights', '--c-margin']) assert.ok(image.colours.get(await cssColour(page, name)) > 50, name);
  assert.equal(await cssColour(page, '--accent'), '#663399');
  await give('#one', { '--c-weights': '#123456', '--surface': 'light-dark(#eef, #113)' });
  image = await picture(page, '#one');
  assert.ok(image.colours.get('#123456') > 50, 'given to the element alone');
  assert.equal(image.at(2, image.height - 3), '#eeeeff');
  assert.ok(!(await picture(page, '#two')).colours.has('#123456'));
  // A dark page that gives nothing: the colours for dark surfaces.
  await page.evaluate(() => { document.documentElement.removeAttribute('style'); document.body.style.background = '#101418'; document.body.style.color = '#eee'; });
  image = await picture(page, '#two');
  assert.equal(image.at(2, image.height - 3), '#101418');
  assert.ok(image.colours.get('#6ba6ec') > 50);
});

pageTest('forced colours are the system\'s, and compartments stay apart', { forcedColors: 'active' }, async ({ page }) => {
  await openCanvas(page, 'method=worksheet');
  const image = await picture(page);
  assert.equal(image.at(2, image.height - 3), await page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
    return `#${[r, g, b].map((v) => v.toString(16).padStart(2, '0')).join('')}`;
  }));
  assert.ok(image.colours.size > 50);
  const seen = (colour) => (image.colours.get(colour) ?? 0) > 100;
  for (const [light, dark] of [['#1f5fa8', '#6ba6ec'], ['#c77700', '#f0a330'], ['#00805f', '#3fbf98']]) assert.ok(seen(light) || seen(dark), light);
  await page.emulateMedia({ forcedColors: 'none' });
  assert.equal((await picture(page)).at(2, image.height - 3), await cssColour(page, '--surface'), 'and the page\'s again');
});

pageTest('what is asked to repaint does', async ({ page, origin }) => {
  await openHost(page, origin);
  await becomesReady(page, '#one');
  const before = await framesDrawn(page, '#one');
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { --surface: #abcdef; }');
    document.adoptedStyleSheets.push(sheet);
    document.getElementById('one').repaint();
  });
  const image = await picture(page, '#one');
  assert.equal(image.at(2, image.height - 3), '#abcdef');
  assert.ok(await framesDrawn(page, '#one') > before);
});
