// The height of the page in a frame. It follows from the frame's width alone: nothing here is measured against the frame's height, so
// that what follows it comes to rest.

// How long the page around has to follow, in ms, before there is a scroll bar.
const patience = 500;

// Calls `tell(height in CSS pixels)` for each new height, the first too; gives a function that gives the height told last.
export function followHeight(tell) {
  const root = document.documentElement;
  let height = 0;
  let waiting = 0;
  function judge() {
    clearTimeout(waiting);
    // A pixel of tolerance: a frame's height need not be a whole number of the device's pixels.
    if (window.innerHeight >= height - 1) root.dataset.fitted = '';
    else waiting = setTimeout(() => { delete root.dataset.fitted; }, patience);
  }
  root.dataset.fitted = '';
  window.addEventListener('resize', judge);
  new ResizeObserver(() => {
    // Not yet laid out, or out of sight: each word would stand on a line of its own.
    if (document.documentElement.clientWidth === 0) return;
    const now = Math.ceil(document.body.getBoundingClientRect().height);
    if (now === height) return;
    height = now;
    tell(height);
    judge();
  }).observe(document.body);
  return () => height;
}
