// Puts an address into the clipboard and has the outcome said in `place`. Browsers refuse the clipboard to pages without TLS.
export function copyLink(address, place, { t }) {
  const say = (key) => { place.textContent = t(key); };
  return (navigator.clipboard?.writeText(address) ?? Promise.reject()).then(() => say('page.link.done'), () => say('page.link.failed'));
}
