// The panel's section of files, each made when it is asked for.
import { answerJson } from '../export/answer_json.mjs';
import { breakdownSvg } from '../export/breakdown_svg.mjs';
import { fileName } from '../export/file_name.mjs';
import { fitCsv } from '../export/fit_csv.mjs';
import { answerMarkdown } from '../export/markdown.mjs';
import { html } from './html.mjs';
import { pngOf, saveFile } from './save_file.mjs';

// By extension; only what `always` is there without an answer.
const files = {
  png: { label: 'share.file.png', type: 'image/png', make: (answer) => pngOf(breakdownSvg(answer)) },
  svg: { label: 'share.file.svg', type: 'image/svg+xml', make: breakdownSvg },
  csv: { label: 'share.file.csv', type: 'text/csv;charset=utf-8', make: fitCsv },
  json: { label: 'share.file.json', type: 'application/json', make: answerJson, always: true },
  md: { label: 'share.file.md', type: 'text/markdown;charset=utf-8', make: answerMarkdown },
};

export function downloadSection({ link, say, copy, text, result, view, vramfit }) {
  const { t } = text;
  const answer = { result, view, text, link, whatIf: result.refused ? null : vramfit.whatIf(result.share) };
  const offered = Object.keys(files).filter((extension) => !result.refused || files[extension].always);
  const section = document.createElement('section');
  section.innerHTML = String(html`<h3>${t('share.downloads')}</h3>
    ${result.refused && html`<p class="hint">${t('share.refused')}</p>`}
    <p class="share-files">${offered.map((extension) => html`<button type="button" data-file="${extension}">${t(result.refused ? 'share.file.refused' : files[extension].label)} <span class="unit">${extension.toUpperCase()}</span></button>`)}${!result.refused && html`<button type="button" data-do="copy-markdown">${t('share.copy_markdown')}</button>`}</p>`);

  async function save(extension) {
    const { type, make } = files[extension];
    const file = fileName(result, extension);
    try {
      saveFile(new Blob([await make(answer)], { type }), file);
      say('share.started', { file });
    } catch (error) {
      console.error(error);
      say('share.failed', { file });
    }
  }
  section.addEventListener('click', async ({ target }) => {
    const button = target.closest('button');
    if (button?.dataset.file) return save(button.dataset.file);
    if (button) say(await copy(answerMarkdown(answer)) ? 'share.markdown_copied' : 'share.markdown_refused');
  });
  return section;
}
