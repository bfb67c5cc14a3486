// "From your log": a log in, pasted, dropped or opened, and what it says against the prediction. It is read here; nothing is sent.
import { compareLog, resultForLog } from '../log/compare_log.mjs';
import { decodeLog, longestText } from '../log/lines.mjs';
import { changesFromLog, logMeasures, logSettings } from '../log/log_settings.mjs';
import { readLog } from '../log/read_log.mjs';
import { explainLog } from '../text/log.mjs';
import { html } from './html.mjs';
import { lateStyle } from './late_style.mjs';
import { lateTexts } from './late_texts.mjs';
import { fill } from './render.mjs';

// While a log is typed or pasted it is read once that rests.
const patience = 250;

// Where a figure stands, and the line itself; `brief` where a column says that these are lines.
function evidence({ line, line_number }, key, { t, format }, brief = false) {
  if (!line) return '';
  const name = t('log.line.show', { number: format.number(line_number) });
  return html`<details data-key="${key}"><summary aria-label="${name}">${brief ? format.number(line_number) : name}</summary><code>${line}</code></details>`;
}

function tableHtml(rows, text) {
  const { t } = text;
  const cell = (label, content) => html`<td role="cell" data-empty="${String(content === '')}"><span class="cell-label">${label}</span><div>${content}</div></td>`;
  return html`<table class="measured stack" role="table" aria-label="${t('log.table')}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${t('page.compartment')}</th><th role="columnheader" scope="col">${t('log.predicted')}</th><th role="columnheader" scope="col">${t('log.measured')}</th><th role="columnheader" scope="col">${t('log.difference')}</th><th role="columnheader" scope="col">${t('log.line')}</th></tr></thead>
    <tbody role="rowgroup">${rows.map((row) => html`<tr role="row"><th role="rowheader" scope="row">${row.label}</th>
      ${cell(t('log.predicted'), row.predicted === null ? html`<span class="hint">${row.verdict}</span>` : html`${row.predicted}${row.range && html` <span class="range">${row.range}</span>`}`)}
      ${cell(t('log.measured'), html`${row.measured}${row.note && html` <span class="hint">${row.note}</span>`}`)}
      ${cell(t('log.difference'), row.difference === null ? '' : html`${row.difference}${row.percent && html` <span class="unit">${row.percent}</span>`} <span class="within" data-inside="${String(row.inside)}">${row.verdict}</span>`)}
      ${cell(t('log.line'), evidence(row, `log/${row.id}`, text, true))}</tr>`)}</tbody></table>`;
}

function listHtml(items, kind, text) {
  return html`<ul>${items.map((item, i) => html`<li>${item.text ?? item} ${item.line && evidence(item, `log/${kind}/${i}`, text)}</li>`)}</ul>`;
}

function foundHtml(view, text) {
  const { t } = text;
  if (!view.known) return '';
  return html`${view.notes.map((note) => html`<p class="hint">${note}</p>`)}
    ${view.problems.length > 0 && html`<div class="notices">${listHtml(view.problems, 'problem', text)}</div>`}
    ${view.mismatches.length > 0 && html`<div class="notices mismatches"><h3>${t('log.mismatches')}</h3>${listHtml(view.mismatches, 'mismatch', text)}</div>`}
    ${view.rows.length > 0 && tableHtml(view.rows, text)}
    ${view.settings.length > 0
      ? html`<details data-key="log/sets"><summary class="hint">${t('log.sets')}</summary><dl class="log-sets">${view.settings.map((s) => html`<div><dt>${s.label}</dt><dd>${s.value}</dd></div>`)}</dl></details>`
      : html`<p class="hint">${t('log.nothing_to_set')}</p>`}`;
}

// Of a file too long to be read whole its end, where the last start is.
async function contentOf(file) {
  const long = file.size > longestText;
  const bytes = await (long ? file.slice(file.size - longestText) : file).arrayBuffer();
  return { content: decodeLog(new Uint8Array(bytes)), long };
}

// Fills `place`; `first` is the calculator's state, with { site, vramfit, change }. Returns { show(state), unanswered() },
// to be told of each new one.
export async function mountLog(place, first) {
  const { site, vramfit, change } = first;
  let text = null;
  let state = first;
  let read = null;       // of the log in hand
  let source = null;     // { name, size } of a file
  let long = false;
  let settings = [];     // what the log says of itself
  let measures = [];     // and what it measured
  let before = null;     // the inputs that "go on" replaced
  let waiting = 0;
  let drawing = null;    // the last drawing that was begun
  const texts = async () => { text = await lateTexts(state.text, site, ['log', 'engine']); };
  await Promise.all([texts(), lateStyle('log.css', place.getRootNode(), site)]);

  place.innerHTML = String(html`<p class="hint" id="log-hint"></p>
    <label for="log-text"></label><textarea id="log-text" rows="6" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" aria-describedby="log-hint"></textarea>
    <p class="log-actions"><label class="log-file"><input type="file" id="log-file" accept=".log,.txt,.out,.err,.csv,.json,text/*"><span id="log-open"></span></label> <button type="button" id="log-clear" hidden></button> <span class="hint" id="log-source"></span></p>
    <p id="log-said" role="status"></p><div id="log-found"></div>
    <p class="log-actions"><button type="button" id="log-go" hidden></button> <button type="button" id="log-undo" hidden></button></p>`);
  const at = (id) => place.querySelector(`#log-${id}`);
  const area = at('text');

  function label() {
    const { t } = text;
    at('hint').innerHTML = String(html`${t('log.hint').split('`').map((piece, i) => (i % 2 ? html`<code>${piece}</code>` : piece))}`);
    place.querySelector('label[for="log-text"]').textContent = t('log.field');
    at('open').textContent = t('log.file');
    for (const id of ['clear', 'go', 'undo']) at(id).textContent = t(`log.${id}`);
  }

  // Said anew even if the words are the same.
  function say(words) {
    at('said').textContent = '';
    requestAnimationFrame(() => { at('said').textContent = words; });
  }

  // `aloud`: what is found is said, too.
  async function draw(aloud) {
    const own = drawing = {};
    at('clear').hidden = !read;
    at('undo').hidden = !before;
    at('source').textContent = source ? text.t('log.from_file', { file: source.name, size: text.format.bytes(source.size, 'GB') }) : '';
    if (!read) {
      fill(at('found'), '');
      at('go').hidden = true;
      if (aloud) at('said').textContent = '';
      return;
    }
    const result = await resultForLog(state.result, vramfit);
    // Another log, or another configuration, may have come meanwhile.
    if (own !== drawing) return;
    const compared = result.refused || !read.engine ? null : compareLog(read, result, vramfit, settings);
    const view = explainLog({ read, compared, settings: [...settings, ...measures] }, result, vramfit.catalog(), text);
    at('go').hidden = settings.length + measures.length === 0;
    fill(at('found'), foundHtml(view, text));
    if (aloud) say(view.sentence);
  }

  function take(content) {
    before = null;
    read = content.trim() === '' ? null : readLog(content);
    if (read && long) read.problems.push({ id: 'too_long', values: { characters: longestText }, line_number: 0, line: '' });
    settings = read ? logSettings(read, vramfit) : [];
    measures = read ? logMeasures(read, vramfit) : [];
    draw(true);
  }

  async function takeFile(file) {
    if (!file) return;
    area.value = '';
    source = { name: file.name, size: file.size };
    say(text.t('log.reading'));
    try {
      const got = await contentOf(file);
      ({ long } = got);
      take(got.content);
    } catch {
      read = null;
      source = null;
      draw(false);
      say(text.t('log.not_read', { file: file.name }));
    }
  }

  area.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      source = null;
      long = false;
      take(area.value);
    }, patience);
  });
  at('file').addEventListener('change', ({ target }) => {
    takeFile(target.files[0]);
    // So that the same file can be opened again.
    target.value = '';
  });
  for (const kind of ['dragover', 'dragenter']) {
    place.addEventListener(kind, (event) => {
      if (![...(event.dataTransfer?.types ?? [])].includes('Files')) return;
      event.preventDefault();
      place.dataset.over = '';
    });
  }
  place.addEventListener('dragleave', (event) => { if (!place.contains(event.relatedTarget)) delete place.dataset.over; });
  place.addEventListener('drop', (event) => {
    delete place.dataset.over;
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    takeFile(file);
  });
  at('clear').addEventListener('click', () => {
    area.value = '';
    source = null;
    take('');
    area.focus();
  });
  at('go').addEventListener('click', async () => {
    const changes = changesFromLog(read, vramfit);
    const now = new URLSearchParams(state.result.share);
    before = Object.fromEntries(Object.keys(changes).map((key) => [key, now.get(key)]));
    await change(changes, true);
    say(text.t('log.gone'));
  });
  at('undo').addEventListener('click', async () => {
    const back = before;
    before = null;
    await change(back, true);
    say(text.t('log.undone'));
    at('go').focus();
  });

  label();
  draw(false);
  return {
    async show(now) {
      const spoken = text.lang !== now.lang || state.text !== now.text;
      state = now;
      if (spoken) {
        await texts();
        label();
      }
      draw(false);
    },
    // Told that the configuration is refused. Returns whether there is something to undo.
    unanswered() {
      drawing = null;
      fill(at('found'), '');
      at('go').hidden = true;
      at('undo').hidden = before === null;
      return before !== null;
    },
  };
}
