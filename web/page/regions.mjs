// Every part of the page that depends on the result, by the region it goes in. Null hides the region's section.
import { answerHtml, helpHtml, noticesHtml } from './answer.mjs';
import { compartmentsHtml } from './compartments.mjs';
import { fitControlsHtml, fitShownHtml } from './fit_controls.mjs';
import { fitHtml, fitNotesHtml } from './fit_table.mjs';
import { html } from './html.mjs';
import { methodsHtml } from './methods.mjs';
import { precisionHtml } from './precision.mjs';
import { methodSourcesHtml } from './sources.mjs';

// `fitView` is how the reader wants to see the fit table.
export function regions(view, text, fitView) {
  const answered = (make) => (view.refused ? null : make(view, text, fitView));
  return {
    answer: answerHtml(view),
    help: view.help || view.incomplete ? helpHtml(view) : null,
    notices: noticesHtml(view, text),
    methods: answered(methodsHtml),
    compartments: answered(compartmentsHtml),
    fit_notes: answered(fitNotesHtml),
    fit_controls: answered(fitControlsHtml),
    fit_shown: answered(fitShownHtml),
    fit: answered(fitHtml),
    precision: answered(precisionHtml),
    sources: answered(methodSourcesHtml),
    date: html`${text.t('page.footer', { date: view.catalogDate })}`,
  };
}
