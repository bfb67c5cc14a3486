// "Your model's files": files in, pasted, dropped, picked or asked of the model hub, and what they say of the model. They are read here;
// nothing is sent.
import { baseOf, choiceFor, choicesOf, isModelFile } from '../import/choices.mjs';
import { fileFrom, fileFromText, importModel } from '../import/import_model.mjs';
import { explainImport, importedName } from '../text/import.mjs';
import { bindDrop, entryOf } from './dropped_files.mjs';
import { html } from './html.mjs';
import { choicesHtml, importHtml, marked } from './import_html.mjs';
import { lateStyle } from './late_style.mjs';
import { lateTexts } from './late_texts.mjs';
import { fill } from './render.mjs';

// While a configuration is typed or pasted it is read once that rests.
const patience = 250;

// What a share string may be long, as the core cuts it off.
const longestShare = 8192;

async function mount(place, first) {
  const { site, vramfit, change } = first;
  const root = place.getRootNode();
  let text = null;
  let state = first;
  let given = [];        // files in hand: {path, size, file}
  let choices = [];
  let ignored = 0;
  let imported = null;
  let from = null;       // {names, size} of what was read
  let reading = null;    // the AbortController of what is being read
  let before = null;     // the inputs that "use this model" replaced
  let waiting = 0;
  let hubPart = null;
  const texts = async () => { text = await lateTexts(state.text, site, ['import']); };
  await Promise.all([texts(), lateStyle('model_file.css', root, site)]);

  place.innerHTML = String(html`<p class="hint" id="model-file-hint"></p>
    <p class="file-actions"><label class="file-pick"><input type="file" id="model-file-files" multiple><span></span></label> <label class="file-pick"><input type="file" id="model-file-folder" webkitdirectory><span></span></label></p>
    <label for="model-file-text"></label><textarea id="model-file-text" rows="4" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" aria-describedby="model-file-hint"></textarea>
    ${site.hub && html`<details id="hub-fold"><summary></summary><div id="hub-body"></div></details>`}
    <p id="model-file-choices" hidden><label for="model-file-choice"></label> <select id="model-file-choice"></select></p>
    <p id="model-file-progress" hidden><progress></progress> <span class="hint"></span> <button type="button" id="model-file-cancel"></button></p>
    <p id="model-file-said" role="status"></p>
    <p class="file-actions"><button type="button" id="model-file-go" hidden></button> <button type="button" id="model-file-undo" hidden></button> <button type="button" id="model-file-clear" hidden></button> <span class="hint" id="model-file-source"></span></p>
    <div id="model-file-found"></div>`);
  const at = (id) => place.querySelector(`#model-file-${id}`);
  const area = at('text');

  function label() {
    const { t } = text;
    at('hint').innerHTML = String(marked(t('import.hint')));
    place.querySelector('label[for="model-file-text"]').textContent = t('import.field');
    place.querySelector('label[for="model-file-choice"]').textContent = t('import.choice');
    for (const id of ['files', 'folder']) at(id).nextElementSibling.textContent = t(`import.${id}`);
    for (const id of ['go', 'undo', 'clear', 'cancel']) at(id).textContent = t(`import.${id}`);
    if (site.hub) place.querySelector('#hub-fold').firstElementChild.textContent = t('import.hub');
  }

  // Said anew even if the words are the same.
  function say(words) {
    at('said').textContent = '';
    requestAnimationFrame(() => { at('said').innerHTML = String(marked(words)); });
  }

  function draw() {
    const { t, format } = text;
    at('clear').hidden = !imported && given.length === 0 && area.value === '';
    at('undo').hidden = !before;
    at('go').hidden = !imported?.ok || tooLong() !== null;
    at('choices').hidden = given.length === 0 || choices.length < 2;
    at('source').textContent = [
      from && t('import.from', { count: from.names.length, file: from.names[0], size: format.bytes(from.size) }),
      given.length > 0 && ignored > 0 && t('import.ignored', { count: ignored }),
    ].filter(Boolean).join(' · ');
    fill(at('found'), imported ? importHtml(explainImport(imported, text), tooLong(), text) : '');
  }

  // What no link can hold cannot be asked about either: the link is the question.
  function tooLong() {
    const length = imported?.ok ? imported.share.length : 0;
    return length > longestShare ? text.t('import.too_long', { length: text.format.number(length), limit: text.format.number(longestShare) }) : null;
  }

  function stop() {
    reading?.abort();
    reading = null;
    at('progress').hidden = true;
  }

  // Gives up what is being read for something else; where the focus is when that is stopped.
  let back = area;
  function begin(from = area) {
    stop();
    reading = new AbortController();
    back = from;
    return reading;
  }

  function progress(words, done = null) {
    const bar = at('progress').querySelector('progress');
    if (done === null) bar.removeAttribute('value');
    else bar.value = done;
    at('progress').querySelector('span').textContent = words;
    at('progress').hidden = false;
  }

  // Reads files and shows what they say. `files` as importModel() takes them; `own` is what stops it.
  async function take(files, { quiet = false, own = begin() } = {}) {
    before = null;
    imported = null;
    from = quiet ? null : { names: files.map(({ name }) => name), size: files.reduce((sum, { size }) => sum + size, 0) };
    const ended = (words) => {
      if (own !== reading) return;
      stop();
      draw();
      say(words);
    };
    // What has come of each file, and what its beginning takes.
    const came = files.map(() => null);
    function shown({ file, index, read, needed }) {
      came[index] = read;
      if (own !== reading || quiet) return;
      const done = came.filter((bytes) => bytes !== null).length;
      const size = text.format.bytes(came.reduce((sum, bytes) => sum + bytes, 0));
      const words = text.t('import.progress', { done: text.format.number(done), count: files.length, size });
      progress(`${text.t('import.reading', { file })} · ${words}`, needed > read ? read / needed : done / files.length);
    }
    if (!quiet) progress(text.t('import.reading', { file: files[0].name }));
    try {
      const made = await importModel(files, { signal: own.signal, onProgress: shown, ...(await importer()) });
      if (own !== reading) return;
      imported = made;
      ended(explainImport(imported, text).sentence);
    } catch (error) {
      if (own === reading) ended(failure(error, files));
    }
  }

  // What importModel() is loaded from.
  const importer = async () => site.importer?.() ?? { moduleFactory: (await site.core()).moduleFactory, wasmUrl: site.at('vramfit-import.wasm') };

  // What kept files from being read: the hub, the machine, or the importer's own module.
  function failure(error, files) {
    const explained = hubPart?.explain(error);
    if (explained) return explained;
    console.error(error);
    const unread = error?.name === 'ShortRead' ? error.file : ['NotReadableError', 'NotFoundError'].includes(error?.name) ? files[0].name : null;
    return unread === null ? text.t('import.failed') : text.t('import.not_read', { file: unread });
  }

  const fileOf = ({ path, file }) => fileFrom(file, baseOf(path));

  const readChoice = (choice) => take(choice.files.map((file) => fileOf(file)));

  function takeFiles(files) {
    if (files.length === 0) return;
    stop();
    area.value = '';
    before = null;
    imported = null;
    from = null;
    // A single file is what it is, whatever it is called.
    given = files.length === 1 ? files : files.filter(({ path }) => isModelFile(path));
    ignored = files.length - given.length;
    choices = choicesOf(given);
    if (files.length === 1) {
      choices = [];
      take(given.map(fileOf));
      return;
    }
    if (choices.length === 0) {
      given = [];
      draw();
      say(text.t('import.no_files'));
      return;
    }
    const chosen = choiceFor(choices);
    at('choice').innerHTML = String(html`${choicesHtml(choices, chosen, text)}`);
    readChoice(chosen);
  }

  function takeText() {
    given = [];
    choices = [];
    ignored = 0;
    if (area.value.trim() === '') {
      stop();
      imported = null;
      from = null;
      before = null;
      draw();
      say('');
      return;
    }
    take([fileFromText('config.json', area.value)], { quiet: true });
  }

  area.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(takeText, patience);
  });
  for (const id of ['files', 'folder']) {
    at(id).addEventListener('change', ({ target }) => {
      takeFiles([...target.files].map(entryOf));
      // So that the same files can be picked again.
      target.value = '';
    });
  }
  at('choice').addEventListener('change', ({ target }) => readChoice(choices.find(({ id }) => id === target.value)));
  bindDrop(place, takeFiles);
  at('cancel').addEventListener('click', () => {
    stop();
    draw();
    say(text.t('import.cancelled'));
    back.focus();
  });
  at('clear').addEventListener('click', () => {
    area.value = '';
    takeText();
    area.focus();
  });
  at('go').addEventListener('click', async () => {
    const catalog = vramfit.catalog();
    const changes = Object.fromEntries(catalog.fields.filter(({ group }) => group === 'model').map(({ key }) => [key, null]));
    Object.assign(changes, { model: null, formats: null, weights: null }, Object.fromEntries(new URLSearchParams(imported.share)));
    const now = new URLSearchParams(state.result.share);
    before = Object.fromEntries(Object.keys(changes).map((key) => [key, now.get(key)]));
    await change(changes, true);
    say(text.t('import.gone', { name: importedName(imported, text) }));
  });
  at('undo').addEventListener('click', async () => {
    const back = before;
    before = null;
    await change(back, true);
    draw();
    say(text.t('import.undone'));
    at('go').focus();
  });

  function takeFromHub(files, own) {
    area.value = '';
    given = [];
    choices = [];
    return take(files, { own });
  }

  const hubFold = place.querySelector('#hub-fold');
  const openHub = async () => {
    if (!hubFold.open) return;
    const body = hubFold.lastElementChild;
    try {
      const { mountHub } = await site.script('hub_view');
      hubPart ??= await mountHub(body, { state: () => state, site, begin, stop, progress, say, take: takeFromHub });
    } catch (error) {
      console.error(error);
      body.innerHTML = String(html`<p class="notices" role="alert">${text.t('import.hub.failed')}</p>`);
    }
  };
  hubFold?.addEventListener('toggle', openHub);

  label();
  draw();
  return {
    async show(now) {
      const spoken = text.lang !== now.lang || state.text !== now.text;
      state = now;
      if (spoken) {
        await texts();
        label();
        if (choices.length > 1) at('choice').innerHTML = String(html`${choicesHtml(choices, choices.find(({ id }) => id === at('choice').value), text)}`);
        await hubPart?.speak();
      }
      draw();
    },
  };
}

const views = new WeakMap();  // by place

// Told of each new state of the calculator while the fold is open: its own, with { root, site, vramfit, change }.
export async function show(place, state) {
  if (!views.has(place)) {
    const made = mount(place, state);
    views.set(place, made);
    made.catch(() => views.delete(place));
    return made;
  }
  return (await views.get(place)).show(state);
}
