// The fold below the limits that takes a log. What is in it loads when it is first opened.
import { html } from './html.mjs';

const folds = new WeakMap();  // by section

function makeFold(section, limits) {
  section.innerHTML = String(html`<details id="log-fold"><summary><h2></h2></summary><div id="log-body"></div></details>`);
  const fold = section.querySelector('details');
  const body = section.querySelector('#log-body');
  const own = { state: null, view: null, draw: () => { if (fold.open) own.view?.show(own.state); } };
  const open = async () => {
    if (!fold.open || own.view) return own.draw();
    try {
      const { mountLog } = await own.state.site.script('log_view');
      own.view ??= await mountLog(body, own.state);
      own.draw();
    } catch (error) {
      console.error(error);
      body.innerHTML = String(html`<p class="notices" role="alert">${own.state.text.t('page.log.failed')}</p>`);
    }
  };
  fold.addEventListener('toggle', open);
  // Where nothing can be answered there is nothing to hold a log against; but what led there can be undone.
  const follow = () => { section.hidden = limits.hidden && !own.view?.unanswered(); };
  new MutationObserver(follow).observe(limits, { attributes: true, attributeFilter: ['hidden'] });
  follow();
  return Object.assign(own, { title: section.querySelector('h2') });
}

// Told of each new state of the calculator, which is not refused: its own, with { root, site, vramfit, change }.
export function logFold(state) {
  const { root, text } = state;
  const section = root.getElementById('log');
  if (!folds.has(section)) folds.set(section, makeFold(section, root.getElementById('what-if')));
  const own = folds.get(section);
  own.state = state;
  own.title.textContent = text.t('page.log');
  own.draw();
}
