// The drawn view in its section of the page. Loaded when that section comes into sight; the page works without it.
//
// `current()` gives {share, lang, units, t}; `edited(share, finished)` is called when something was changed on the canvas. `attributes`
// are the element's.
export async function mountCanvas(place, assets, { current, edited, attributes = [] }) {
  const { defineCanvas } = await import(new URL('canvas-element.mjs', assets));
  defineCanvas(assets);
  const canvas = document.createElement('vramfit-canvas');
  const status = document.createElement('p');
  const progress = document.createElement('progress');
  status.setAttribute('role', 'status');

  // What stands in the canvas's place until it is there, and when it cannot be.
  function say() {
    const { t } = current();
    const loading = canvas.state === 'idle' || canvas.state === 'loading';
    status.textContent = loading ? t('page.canvas.loading') : canvas.state === 'failed' ? t('page.canvas.failed') : canvas.message(`canvas.${canvas.state}`);
    progress.hidden = !loading;
    progress.setAttribute('aria-label', t('page.canvas.loading'));
    if (canvas.progress > 0) progress.value = canvas.progress;
    else progress.removeAttribute('value');
  }

  function follow() {
    const { share, lang, units } = current();
    Object.assign(canvas, { lang, units: units ?? '', share });
    say();
  }

  canvas.addEventListener('vramfit-state', say);
  canvas.addEventListener('vramfit-progress', say);
  canvas.addEventListener('vramfit-share', ({ detail }) => edited(detail.share, detail.finished));
  for (const name of attributes) canvas.setAttribute(name, '');
  canvas.append(status, progress);
  follow();
  place.replaceChildren(canvas);
  return { canvas, follow, repaint: () => canvas.repaint() };
}
