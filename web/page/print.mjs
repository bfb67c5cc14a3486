// What only paper needs, made when printing begins and gone when it has: the inputs in words, the arithmetic unfolded, and the address.
import { html } from './html.mjs';

let undo = [];

function put(markup, where, place) {
  place.insertAdjacentHTML(where, String(markup));
  const added = where === 'afterend' ? place.nextElementSibling : place.lastElementChild;
  undo.push(() => added.remove());
}

function valueOf(field) {
  const own = field.querySelector('[data-own]:not([hidden])');
  const control = own ?? field.querySelector('[name]');
  return control.selectedOptions ? control.selectedOptions[0]?.textContent : control.value;
}

function inputs(form) {
  const fields = [...form.querySelectorAll('[data-field]:not([hidden])')].map((field) => ({ name: field.querySelector('label').textContent, value: valueOf(field) }));
  return html`<section class="printed"><h2>${form.getAttribute('aria-label')}</h2><dl>${fields.filter(({ value }) => value).map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

function prepare() {
  restore();
  put(inputs(document.getElementById('form')), 'afterend', document.getElementById('answer'));
  put(html`<p class="printed">${window.location.href}</p>`, 'beforeend', document.querySelector('footer'));
  for (const fold of document.querySelectorAll('.terms > td > details')) {
    if (fold.open) continue;
    fold.open = true;
    undo.push(() => { fold.open = false; });
  }
}

function restore() {
  for (const step of undo) step();
  undo = [];
}

window.addEventListener('beforeprint', prepare);
window.addEventListener('afterprint', restore);
