// The answer, what to do about it, and what the calculator has to remark on the input.
import { html } from './html.mjs';

export const answerHtml = (view) => html`<p class="sentence" data-state="${view.state}">${view.sentenceParts}</p>`;

export function helpHtml(view) {
  return html`${view.incomplete && html`<p>${view.incomplete}</p>`}
    ${view.help && html`<p>${view.help.title}</p><ul>${view.help.items.map((item) => html`<li>${item}</li>`)}</ul>${view.help.note && html`<p>${view.help.note}</p>`}`}`;
}

export function noticesHtml(view, { t }) {
  // A refusal's reason is the sentence itself.
  const shown = view.notices.filter((n) => !(view.refused && view.sentence.includes(n.text)));
  return shown.length
    ? html`<ul>${shown.map((n) => html`<li data-severity="${n.severity}"><strong>${t(`severity.${n.severity}`)}:</strong> ${n.text}</li>`)}</ul>`
    : null;
}
