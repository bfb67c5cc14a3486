// What the documentation's pages are put together from: running text, lists of facts, tables that a phone can show.
import { html } from '../../page/html.mjs';

// A message's two marks: `code` and [link](target). `targets` gives the address of a target; one that begins with # is its own.
export function prose(message, targets = {}) {
  return String(message).split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((piece) => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    const link = piece.match(/^\[([^\]]+)\]\(([^)]+)\)$/);
    if (!link) return piece;
    const target = link[2].startsWith('#') ? link[2] : targets[link[2]];
    if (!target) throw new Error(`no such target: ${link[2]}`);
    return html`<a href="${target}">${link[1]}</a>`;
  });
}

export const code = (text) => html`<code>${text}</code>`;

// A share string, which breaks between its pairs.
export const shareCode = (share) => html`<code>${share.split('&').map((pair, i) => html`${i > 0 && html`&amp;<wbr>`}${pair}`)}</code>`;

// Text that is copied or read as it stands. Focusable, so that the keyboard can scroll what is wider than the page.
export const block = (text, label) => html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;

// [[term, description]], without those that have no description.
export const facts = (rows) => html`<dl class="facts">${rows.filter(([, what]) => what).map(([term, what]) => html`<div><dt>${term}</dt><dd>${what}</dd></div>`)}</dl>`;

// `columns`: [heading, {figures: true}?]; `rows`: [{id?, cells}], the first cell its heading. On a phone each row is a block, and each
// cell says what it is. A caption that repeats the heading above is for those who jump from table to table: `unseen`. Tables of the same
// columns below each other: `even`.
export function table(caption, columns, rows, { unseen = false, even = false } = {}) {
  const [first, ...others] = columns.map((column) => [].concat(column));
  return html`<table class="docs-table${even && ' even'}"><caption${unseen && html` class="unseen"`}>${caption}</caption>
    <thead><tr><th scope="col">${first[0]}</th>${others.map(([heading, kind]) => html`<th scope="col"${kind?.figures && html` class="figures"`}>${heading}</th>`)}</tr></thead>
    <tbody>${rows.map(({ id, cells: [head, ...cells] }) => html`<tr${id && html` id="${id}"`}><th scope="row">${head}</th>${cells.map((cell, i) => html`<td${others[i][1]?.figures && html` class="figures"`}><span class="cell-label">${others[i][0]}</span><span>${cell}</span></td>`)}</tr>`)}</tbody></table>`;
}

// A heading that can be linked to.
export const anchored = (level, id, content) => html`<h${level} id="${id}">${content} <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a></h${level}>`;

export const bullets = (items) => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
