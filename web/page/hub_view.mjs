// The model hub in "Your model's files": nothing is asked for before a button is pressed, and what will be stands there first. Where the
// page has a policy that lets it ask, and nowhere else.
import { choiceFor, choicesOf } from '../import/choices.mjs';
import { createHub, isText, pieceBytes } from '../import/hub.mjs';
import { isBranch, readReference } from '../import/hub_reference.mjs';
import { explainHubFailure } from '../text/hub.mjs';
import { html } from './html.mjs';
import { choicesHtml, marked } from './import_html.mjs';
import { lateTexts } from './late_texts.mjs';

// What lists of files usually stay below.
const usualList = 100e3;
// A GGUF file's beginning has the vocabulary.
const usualVocabulary = 12e6;

// Told apart from a network that fails: the browser says so beside it, in a task of its own.
function watchPolicy() {
  let last = -Infinity;
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => { if (effectiveDirective === 'connect-src') last = performance.now(); });
  return async () => {
    await new Promise((done) => { setTimeout(done, 50); });
    return performance.now() - last < 1000;
  };
}

// What reading a choice takes: [{path, size, bytes, usual}]; of large files their first bytes, of a GGUF's first file what is usual.
function planOf(choice) {
  const first = choice.kind === 'gguf' ? choice.files[0] : null;
  return choice.files.map((file) => {
    const { path, size } = file;
    const usual = file === first && size > usualVocabulary;
    return { path, size, usual, bytes: isText(path) ? size : Math.min(size, usual || file === first ? usualVocabulary : pieceBytes) };
  });
}

// Fills `place`. `take(files, control)` is given what was asked for, as importModel() takes it; `begin()`, `stop()`, `progress()` and `say()`
// are the section's around it.
export async function mountHub(place, { state, site, begin, stop, progress, say, take }) {
  let text = null;
  let reference = null;   // what the list is of: {model, branch}
  let files = [];
  let choices = [];
  const hub = createHub({ blocked: watchPolicy() });
  const speakAgain = async () => { text = await lateTexts(state().text, site, ['import', 'hub']); };
  await speakAgain();

  place.innerHTML = String(html`<p class="hint" id="hub-hint"></p>
    <form id="hub-form" autocomplete="off"><div class="hub-ask"><p><label for="hub-model"></label><input id="hub-model" autocapitalize="none" spellcheck="false" placeholder="Qwen/Qwen3-8B" aria-describedby="hub-hint hub-typed"></p>
      <p><label for="hub-branch"></label><input id="hub-branch" autocapitalize="none" spellcheck="false" placeholder="main" aria-describedby="hub-typed"></p></div>
      <p class="error" id="hub-typed" hidden></p><div class="hub-plan" id="hub-list-plan"></div>
      <p class="file-actions"><button id="hub-list"></button></p></form>
    <div id="hub-listed" hidden><p id="hub-choices"><label for="hub-choice"></label><select id="hub-choice"></select></p><div class="hub-plan" id="hub-plan"></div>
      <p class="file-actions"><button type="button" id="hub-read"></button></p></div>`);
  const at = (id) => place.querySelector(`#hub-${id}`);

  // What is typed: {model, branch, path, tag} or {error}.
  function typed() {
    const read = readReference(at('model').value);
    if (read.error) return read;
    const branch = at('branch').value.trim();
    if (branch && !isBranch(branch)) return { error: 'branch' };
    return { ...read, branch: branch || read.branch || 'main' };
  }

  const chosen = () => choices.find(({ id }) => id === at('choice').value);

  function label() {
    const { t } = text;
    at('hint').innerHTML = String(marked(t('hub.hint')));
    for (const [id, key] of [['model', 'hub.model'], ['branch', 'hub.branch'], ['choice', 'import.choice']]) place.querySelector(`label[for="hub-${id}"]`).textContent = t(key);
    at('list').textContent = t('hub.list');
    at('read').textContent = t('hub.read');
    drawTyped();
    drawChoices(chosen());
  }

  // What is wrong with what was typed is said once it is asked for.
  function drawTyped(complain = false) {
    const { t, format } = text;
    const wanted = typed();
    const wrong = complain && wanted.error ? t(`hub.typed.${wanted.error}`) : '';
    at('typed').textContent = wrong;
    at('typed').hidden = !wrong;
    const field = wanted.error === 'branch' ? 'branch' : 'model';
    for (const id of ['model', 'branch']) {
      if (wrong && id === field) at(id).setAttribute('aria-invalid', 'true');
      else at(id).removeAttribute('aria-invalid');
    }
    at('list-plan').innerHTML = wanted.error ? '' : String(html`<p>${t('hub.plan.list', { size: format.bytes(usualList) })}</p><p><code>${hub.listAddress(wanted)}</code></p>`);
    if (wrong) at(field).focus();
    return wanted;
  }

  function drawChoices(choice) {
    at('listed').hidden = !choice;
    if (!choice) return;
    at('choice').innerHTML = String(html`${choicesHtml(choices, choice, text)}`);
    drawPlan(choice);
  }

  function drawPlan(choice) {
    const { t, format } = text;
    const plan = planOf(choice);
    const size = format.bytes(plan.reduce((sum, { bytes }) => sum + bytes, 0));
    const much = ({ size: whole, bytes, usual }) => (bytes === whole ? t('hub.plan.whole', { size: format.bytes(whole) })
      : t(usual ? 'hub.plan.usual' : 'hub.plan.head', { size: format.bytes(bytes), whole: format.bytes(whole) }));
    const open = at('plan').querySelector('details')?.open ?? plan.length < 4;
    at('plan').innerHTML = String(html`<p>${t('hub.plan.files', { count: plan.length, size })} ${t('hub.plan.cdn')}</p>
      <details><summary>${t('hub.plan.show', { count: plan.length })}</summary><ul tabindex="0" aria-label="${t('hub.plan.show', { count: plan.length })}">${plan.map((file) => html`<li><code>${hub.fileAddress(reference, file.path)}</code> ${much(file)}</li>`)}</ul></details>`);
    at('plan').querySelector('details').open = open;
  }

  async function list() {
    const wanted = drawTyped(true);
    if (wanted.error) return;
    const control = begin(at('list'));
    say('');
    progress(text.t('hub.listing'));
    at('listed').hidden = true;
    choices = [];
    try {
      const found = await hub.list(wanted, { signal: control.signal });
      if (control.signal.aborted) return;
      stop();
      reference = { model: wanted.model, branch: wanted.branch };
      files = found;
      choices = choicesOf(files);
      const { t, format } = text;
      const named = { model: wanted.model, branch: wanted.branch };
      if (choices.length === 0) return say(t('hub.nothing', named));
      drawChoices(choiceFor(choices, wanted));
      say(t('hub.listed', { ...named, files: format.number(files.length), count: choices.length }, { files: files.length }));
      at('choice').focus();
    } catch (error) {
      if (control.signal.aborted) return;
      stop();
      say(told(error, wanted));
    }
  }

  // The importer asks for what it needs of each file.
  function read() {
    const control = begin(at('read'));
    say('');
    return take(chosen().files.map((file) => hub.fileOf(reference, file, { signal: control.signal })), control);
  }

  const explain = (error) => explainHubFailure(error, text);

  // What is nobody's answer is a fault here.
  function told(error, { model }) {
    const words = explain(error);
    if (!words) console.error(error);
    return words ?? text.t('hub.broken', { model });
  }

  at('form').addEventListener('submit', (event) => {
    event.preventDefault();
    list();
  });
  for (const id of ['model', 'branch']) at(id).addEventListener('input', () => drawTyped());
  at('choice').addEventListener('change', () => drawPlan(chosen()));
  at('read').addEventListener('click', read);
  label();
  return {
    explain,
    async speak() {
      await speakAgain();
      label();
    },
  };
}
