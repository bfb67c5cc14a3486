// For a page with frames of embed.html in it, any number of them, once:
//
//   <iframe data-vramfit src="https://SITE/embed.html?model=llama-3.1-70b" title="..." width="100%" height="480"></iframe>
//   <script src="https://SITE/assets/embed-parent.js" async></script>
//
// Each frame becomes as high as what is in it, and what it tells arrives as events of the <iframe>, which bubble: vramfit-resize
// {height}, vramfit-change {share}, vramfit-error {id, message}. Only a frame's own window is heard, and only while it shows a page of the
// origin that its src names. Works as a file under a policy without inline scripts, and as it is between script tags. Without it a frame
// keeps the height that it was given and scrolls.
(() => {
  const mark = Symbol.for('vramfit-embed-parent');
  if (window[mark]) return;
  window[mark] = true;
  const frames = () => document.querySelectorAll('iframe[data-vramfit]');

  // Of a sandbox without allow-same-origin nobody can tell more than that its origin is its own.
  function originOf(frame) {
    return frame.sandbox.length && !frame.sandbox.contains('allow-same-origin') ? 'null' : new URL(frame.src, document.baseURI).origin;
  }

  const declaredLight = new WeakSet();

  function prepare(frame) {
    frame.style.boxSizing = 'content-box';
    // A page that declares no colour scheme is a light one; frames in it would take the reader's preference for the page's. An async
    // script may come before the page's style sheets, so what it said is taken back where they say otherwise.
    if (declaredLight.has(frame)) frame.style.colorScheme = '';
    if (getComputedStyle(frame).colorScheme !== 'normal' || document.querySelector('meta[name="color-scheme"]')) return;
    frame.style.colorScheme = 'light';
    declaredLight.add(frame);
  }

  window.addEventListener('message', ({ data, source, origin }) => {
    const type = data && data.version === 1 && data.type;
    if (!['vramfit-resize', 'vramfit-change', 'vramfit-error'].includes(type)) return;
    for (const frame of frames()) {
      if (frame.contentWindow !== source || originOf(frame) !== origin) continue;
      if (type === 'vramfit-resize') {
        if (!(data.height > 0 && data.height < 1e5)) return;
        prepare(frame);
        frame.style.height = `${data.height}px`;
      }
      frame.dispatchEvent(new CustomEvent(type, { detail: data, bubbles: true }));
    }
  });

  // Those that were there before this script.
  for (const frame of frames()) {
    prepare(frame);
    if (frame.contentWindow) frame.contentWindow.postMessage({ type: 'vramfit-ask', version: 1 }, '*');
  }
  window.addEventListener('load', () => frames().forEach(prepare));
})();
