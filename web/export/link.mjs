// The address of a configuration. `page` is where the calculator stands, or empty when nobody knows: the share string alone then.
import { query } from '../page/address.mjs';

export function linkTo(page, result) {
  if (!page) return result.share;
  const url = new URL(page);
  url.hash = '';
  url.search = query(result.share, result.view);
  return url.href;
}

// Whether a link can be followed, or is a share string only.
export const isAddress = (link) => /^https?:\/\//.test(link);
