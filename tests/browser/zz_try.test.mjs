import { pageTest } from './support.mjs';
import { openCanvas, picture, still } from './canvas_support.mjs';
pageTest('zoom', async ({ page, context }) => {
  await openCanvas(page);
  const screen = await context.newCDPSession(page);
  await screen.send('Emulation.setDeviceMetricsOverride', { width: 853, height: 600, deviceScaleFactor: 1.5, mobile: false });
  await page.waitForTimeout(300);
  await page.evaluate(() => document.getElementById('canvas').scrollIntoView());
  await still(page);
  await page.screenshot({ path: '/tmp/s_zoom.png', animations: 'allow' });
});
