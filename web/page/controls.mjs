// Makes the form work: reads what is typed, reports it, and shows what the calculator made of it.
import { bindCombobox } from './combobox.mjs';
import { chosenText, fieldText, searchedText, valueOf } from './form.mjs';
import { readNumber } from './numbers.mjs';
import { searchGpus, searchModels } from './search.mjs';

// `set(changes, committed)` takes {key: text or null}; `state()` gives {result, view, text}.
export function bindForm(form, catalog, { set, state }) {
  const fields = new Map(catalog.fields.map((f) => [f.key, f]));
  const root = form.getRootNode();
  const typedWrong = new Map();  // messages about text that never reached the calculator

  function bindSearched(key, entries, search) {
    bindCombobox(form.elements[key], {
      text: () => state().text,
      search: (query) => search(catalog, query, state().text),
      chosen: () => state().result.inputs[key] ?? '',
      current: () => chosenText(key, state().result, catalog, state().text),
      choose(typed) {
        const known = entries.find((e) => e.id === typed.toLowerCase() || e.name.toLowerCase() === typed.toLowerCase());
        const id = known?.id ?? (typed === searchedText(key, '', catalog, state().text) ? '' : typed);
        set(key === 'model' ? modelChange(id) : { [key]: id || null, ...(key === 'gpu' && { count: null }) }, true);
      },
    });
  }

  // A catalogue model brings its own shape, so figures typed for a bare size go; an imported model goes with either.
  function modelChange(id) {
    const change = { model: id };
    for (const f of catalog.fields) if (f.group === 'model' && f.key !== 'model' && (id || f.kind === 'text')) change[f.key] = null;
    return change;
  }

  function showError(key, message) {
    const input = form.elements[key];
    const place = root.getElementById(`e-${key}`);
    if (!input || !place) return;
    place.textContent = message ?? '';
    place.hidden = !message;
    if (message) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }

  function read(input, committed) {
    const { text } = state();
    const own = input.dataset.own;
    const key = own ?? input.name;
    const field = fields.get(key);
    if (!field) return;
    if (own) return committed && set({ [key]: input.value.trim() || null }, true);
    if (field.kind === 'gpu-list') {
      const list = form.querySelector(`[data-own="${key}"]`);
      list.hidden = input.value !== '';
      if (input.value === '') {
        list.value = list.value || state().result.fit?.map((row) => row.gpu).join(', ') || '';
        if (committed) list.focus();
        return set({ [key]: list.value }, committed);
      }
      return set({ [key]: input.value }, true);
    }
    if (field.kind === 'choice') return set({ [key]: input.value }, true);
    const typed = input.value.trim();
    if (typed === '' && field.optional) {
      typedWrong.delete(key);
      return set({ [key]: null }, committed);
    }
    const number = readNumber(field.kind, field.whole, typed);
    if (number === null) {
      typedWrong.set(key, text.t(field.kind === 'params' ? 'page.not_a_size' : 'page.not_a_number'));
      return showError(key, typedWrong.get(key));
    }
    typedWrong.delete(key);
    return set({ [key]: number }, committed);
  }

  // Properties, so that binding the form again, in another language, replaces them.
  form.oninput = ({ target }) => {
    if (target.tagName === 'INPUT' && target.getAttribute('role') !== 'combobox') read(target, false);
  };
  form.onchange = ({ target }) => {
    if (target.getAttribute('role') !== 'combobox') read(target, true);
  };
  form.onsubmit = (event) => event.preventDefault();
  bindSearched('model', catalog.models, searchModels);
  bindSearched('gpu', catalog.gpus, searchGpus);

  return {
    // Brings the form up to date; the control in use keeps what is being typed.
    update() {
      const { result, view, text } = state();
      for (const [key, field] of fields) {
        const input = form.elements[key];
        if (!input) continue;
        form.querySelector(`[data-field="${key}"]`).hidden = !result.applies.includes(key);
        const value = valueOf(field, result.inputs);
        const busy = root.activeElement === input || typedWrong.has(key);
        if (field.kind === 'gpu-list') {
          const list = form.querySelector(`[data-own="${key}"]`);
          const own = !field.choices.includes(value);
          if (root.activeElement !== input) input.value = own ? '' : value;
          list.hidden = !own;
          if (own && root.activeElement !== list) list.value = value;
        } else if (input.getAttribute('role') === 'combobox') {
          if (!busy) input.value = chosenText(key, result, catalog, text);
        } else if (field.kind === 'choice') {
          if (![...input.options].some((o) => o.value === value)) input.append(new Option(value, value));
          input.value = value;
        } else if (!busy) {
          input.value = fieldText(field, value, text.formats);
        }
        const notice = view.notices.find((n) => n.field === key && n.severity !== 'info');
        showError(key, typedWrong.get(key) ?? notice?.text);
      }
      for (const fold of form.querySelectorAll('[data-group]')) fold.hidden = !fold.querySelector('[data-field]:not([hidden])');
    },
    forget: () => typedWrong.clear(),
    bindDraft: () => bindSearched('draft_model', catalog.models, searchModels),
  };
}
