// Every part of the page that depends on the result, by the region it goes in. Null hides the region's section.
import { answerHtml, helpHtml, noticesHtml } from './answer.mjs';
import { compartmentsHtml } from './compartments.mjs';
import { fitHtml } from './fit_table.mjs';
import { html } from './html.mjs';
import { methodsHtml } from './methods.mjs';
import { precisionHtml } from './precision.mjs';
import { methodSourcesHtml } from './sources.mjs';

export function regions(view, text) {
  const answered = (make) => (view.refused ? null : make(view, text));
  return {
    answer: answerHtml(view),
    help: view.help || view.incomplete ? helpHtml(view) : null,
    notices: noticesHtml(view, text),
    methods: answered(methodsHtml),
    compartments: answered(compartmentsHtml),
    fit: answered(fitHtml),
    precision: answered(precisionHtml),
    sources: answered(methodSourcesHtml),
    date: html`${text.t('page.footer', { date: view.catalogDate })}`,
  };
}
