// The site's page: everything from the site's folder, its state behind '?'.
import { startPage } from './page.mjs';
import { siteAt } from './site.mjs';

const root = document.documentElement;

startPage({
  site: { ...siteAt(new URL(root.dataset.assets, document.baseURI), root.dataset.scripts), hub: true },
  pageAddress: (file, keys) => `${file}${keys && `?${keys}`}`,
});
