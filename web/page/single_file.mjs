// The page as one file, which opens from a disk: everything is in it, and its state stands behind '#'.
import { writeBehindHash } from './address.mjs';
import { inlineSite } from './inline_site.mjs';
import { startPage } from './page.mjs';

// A link within the page would take the configuration's place in the address.
function followAnchor(event) {
  const link = event.target.closest?.('a[href^="#"]');
  if (!link || link.hash.includes('=')) return;
  event.preventDefault();
  const target = document.getElementById(link.hash.slice(1));
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

// `parts` as inlineSite() takes them.
export function startFile(parts) {
  writeBehindHash();
  document.addEventListener('click', followAnchor);
  return startPage({
    site: inlineSite(parts),
    own: null,
    pageAddress: () => '',  // it has no pages beside it
    pageIn: ({ lang }, keys) => `#${keys && `${keys}&`}lang=${lang}`,
  });
}
