// Runs first in the page that is one file. A link given behind '?' goes on behind '#'; and what stands in the file in English is not
// shown to a reader of another language.
if (location.search.length > 1) location.replace(`${location.pathname}#${location.search.slice(1)}`);
if (!/^en\b/i.test(navigator.language)) document.documentElement.dataset.pending = '';
