// The drawn view in its place of a page. Loaded when that place comes into sight; the page works without it.
//
// `place` holds what says that it is loading: a status and a progress bar. `vramfit` is the calculator at hand, if there is one.
// `current()` gives {share, lang, units, prices, t}; `edited(share, finished)` is called when something was changed on the canvas.
// `attributes` are the element's. Rejects when the canvas cannot be loaded, and leaves the place as it was. Browsers keep few WebGL
// contexts: mounting another canvas of the same document closes this one, which leaves the place as it was and is told to `closed()`.
let closeLast = null;

export async function mountCanvas(place, site, { vramfit = null, current, edited, closed, attributes = [], signal }) {
  await site.defineCanvas();
  const canvas = document.createElement('vramfit-canvas');
  const [status, progress] = place.children;

  // What stands in the canvas's place until it is there, and when it cannot be.
  function say() {
    const loading = ['idle', 'loading', 'failed'].includes(canvas.state);
    status.textContent = loading ? current().t('page.canvas.loading') : canvas.message(`canvas.${canvas.state}`);
    progress.hidden = !loading;
    if (canvas.progress > 0) progress.value = canvas.progress;
    else progress.removeAttribute('value');
  }

  function follow() {
    const { share, lang, units, prices = null } = current();
    Object.assign(canvas, { lang, units: units ?? '', share });
    if (prices !== canvas.prices) canvas.prices = prices;
    say();
  }

  canvas.vramfit = vramfit;
  for (const name of attributes) canvas.setAttribute(name, '');
  canvas.addEventListener('vramfit-progress', say);
  canvas.addEventListener('vramfit-share', ({ detail }) => edited(detail.share, detail.finished));
  const loaded = new Promise((done, failed) => {
    canvas.addEventListener('vramfit-state', () => {
      say();
      if (canvas.state === 'failed') {
        leave();
        failed(new Error('canvas'));  // which has said why
      } else if (!['idle', 'loading'].includes(canvas.state)) {
        done();
      }
    });
  });
  function leave() {
    canvas.replaceWith(status, progress);
    if (closeLast === close) closeLast = null;
  }
  function close() {
    leave();
    closed?.();
  }
  closeLast?.();
  closeLast = close;
  signal?.addEventListener('abort', leave);
  canvas.append(status, progress);
  follow();
  place.append(canvas);
  return { canvas, follow, loaded };
}
