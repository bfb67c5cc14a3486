// Where formulas and constants come from, by their ids.
import { html } from './html.mjs';

export const methodSourcesHtml = (view) => html`<ul>${view.sources.map((title) => html`<li>${title}</li>`)}</ul>`;
