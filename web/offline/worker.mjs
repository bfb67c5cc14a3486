// The hosted site's service worker. It keeps one version of the site, whole, and answers the site's own pages from it, so that they
// work without a network and never mix two versions. A newer version is loaded beside it and waits until a page's reader asks for it.
// The build writes the list of files: each with its hash, and what does not match is not kept.
import { clientsClaim } from 'workbox-core/clientsClaim.js';
import { setCacheNameDetails } from 'workbox-core/setCacheNameDetails.js';
import { PrecacheController } from 'workbox-precaching/PrecacheController.js';
import { PrecacheRoute } from 'workbox-precaching/PrecacheRoute.js';
import { registerRoute } from 'workbox-routing/registerRoute.js';

setCacheNameDetails({ prefix: 'vramfit' });
const site = new PrecacheController();
site.precache(self.__WB_MANIFEST);

// A page's address is its configuration, which is the page's business. A folder's page is listed as the folder.
const kept = new PrecacheRoute(site, {
  ignoreURLParametersMatching: [/^/],
  urlManipulation: ({ url }) => [new URL(url.pathname.replace(/\/index(\.html)?$/, '/'), url)],
});

// Embeds, and other pages that happen to lie below this one, get everything from the network.
async function isOurs({ request, event }) {
  if (request.mode === 'navigate') return true;
  const client = await self.clients.get(event.clientId);
  return !client || Boolean(kept.match({ request: client }));
}

registerRoute(kept.match, async (asked) => {
  if (!(await isOurs(asked))) return fetch(asked.request);
  // A browser may have thrown away what was kept.
  return kept.handler.handle(asked).catch(() => fetch(asked.request));
});

// So that the page that brought the worker is kept whole too.
clientsClaim();
self.addEventListener('message', ({ data }) => data === 'replace' && self.skipWaiting());
