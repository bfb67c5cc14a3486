// Lighthouse on one address: for the test that asserts its scores and the benchmark that reports them.
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const desktop = {
  formFactor: 'desktop',
  screenEmulation: { mobile: false, width: 1350, height: 940, deviceScaleFactor: 1, disabled: false },
  throttling: { rttMs: 40, throughputKbps: 10 * 1024, cpuSlowdownMultiplier: 1, requestLatencyMs: 0, downloadThroughputKbps: 0, uploadThroughputKbps: 0 },
};
export const presets = { mobile: { formFactor: 'mobile' }, desktop };

// -> { scores: {category: 0 to 100}, failed: {category: [audit ids]}, metrics: {id: shown value} }
export async function audit(url, { preset = 'mobile', categories }) {
  const chrome = await launch({
    chromePath: process.env.VRAMFIT_CHROMIUM || '/usr/bin/chromium',
    chromeFlags: ['--headless=new', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
    logLevel: 'silent',
  });
  try {
    const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: 'silent', output: 'json' }, { extends: 'lighthouse:default', settings: { ...presets[preset], onlyCategories: categories } });
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    const all = Object.values(lhr.categories);
    const short = ({ auditRefs }) => auditRefs.filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1).map(({ id }) => id);
    return {
      scores: Object.fromEntries(all.map((c) => [c.id, Math.round(c.score * 100)])),
      failed: Object.fromEntries(all.map((c) => [c.id, short(c)])),
      metrics: Object.fromEntries(['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index'].map((id) => [id, lhr.audits[id]?.numericValue ?? null])),
      audits: lhr.audits,
    };
  } finally {
    await chrome.kill();
  }
}
