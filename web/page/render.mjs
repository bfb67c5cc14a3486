const shown = new WeakMap();

// Puts markup into a region, and the reader back where they were: focus and open folds survive, by data-key. What has not changed is
// left alone.
export function fill(region, markup) {
  const section = region.closest('[data-section]') ?? region;
  section.hidden = region.hidden = markup === null;
  const next = markup === null ? '' : String(markup);
  if (shown.get(region) === next) return;
  shown.set(region, next);
  const { activeElement } = region.getRootNode();
  const focused = region.contains(activeElement) ? activeElement.dataset.key : null;
  const open = [...region.querySelectorAll('details[open][data-key]')].map((d) => d.dataset.key);
  region.innerHTML = next;
  for (const details of region.querySelectorAll('details[data-key]')) details.open = open.includes(details.dataset.key);
  if (focused) region.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

// Fixed texts carry their message's key: data-t for content, data-t-label for aria-label.
export function relabel(root, { t }) {
  for (const node of root.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll('[data-t-label]')) node.setAttribute('aria-label', t(node.dataset.tLabel));
}
