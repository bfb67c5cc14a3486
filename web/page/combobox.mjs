// A searchable choice: ARIA's combobox with a listbox popup. `search(text)` gives [{group, options: [{id, name, note}]}];
// `choose(id)` reports a choice; `chosen()` gives the id in force and `current()` its text, to return to when the user gives up.
export function bindCombobox(input, { search, choose, chosen, current, text }) {
  const list = input.getRootNode().getElementById(input.getAttribute('aria-controls'));
  const opener = input.parentElement.querySelector('.open');
  let options = [];
  let active = -1;

  function setActive(index) {
    options[active]?.removeAttribute('aria-selected');
    active = index;
    const option = options[active];
    if (option) {
      option.setAttribute('aria-selected', 'true');
      option.scrollIntoView({ block: 'nearest' });
      input.setAttribute('aria-activedescendant', option.id);
    } else {
      input.removeAttribute('aria-activedescendant');
    }
  }

  function item(className, role, label) {
    const li = document.createElement('li');
    li.className = className;
    li.setAttribute('role', role);
    li.textContent = label;
    return li;
  }

  function open(query) {
    const groups = search(query);
    const nodes = [];
    options = [];
    for (const { group, options: found } of groups) {
      if (found.length === 0) continue;
      if (group) nodes.push(item('group', 'presentation', group));
      for (const { id, name, note } of found) {
        const li = item('', 'option', name);
        li.id = `${list.id}-${options.length}`;
        li.dataset.id = id;
        if (note) {
          const small = document.createElement('span');
          small.className = 'unit';
          small.textContent = ` ${note}`;
          li.append(small);
        }
        options.push(li);
        nodes.push(li);
      }
    }
    if (options.length === 0) nodes.push(item('group', 'presentation', text().t('page.no_match')));
    list.replaceChildren(...nodes);
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    setActive(query ? Math.min(0, options.length - 1) : options.findIndex((o) => o.dataset.id === chosen()));
  }

  function close() {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    setActive(-1);
  }

  function take(option) {
    close();
    choose(option.dataset.id);
    input.value = current();
    input.select();
  }

  const isOpen = () => !list.hidden;
  input.addEventListener('focus', () => input.select());
  input.addEventListener('input', () => open(input.value));
  input.addEventListener('click', () => !isOpen() && open(''));
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (!isOpen()) open('');
      if (options.length > 0 && !event.altKey) setActive(active < 0 ? (step > 0 ? 0 : options.length - 1) : (active + step + options.length) % options.length);
    } else if (event.key === 'Enter' && isOpen()) {
      event.preventDefault();
      if (options[active]) take(options[active]);
    } else if (event.key === 'Escape' && isOpen()) {
      event.preventDefault();
      close();
      input.value = current();
    }
  });
  input.addEventListener('blur', () => {
    if (isOpen()) close();
    const typed = input.value.trim();
    // What was typed is kept: an exact id or name is a choice, anything else is reported by the calculator at the field.
    if (typed !== current()) choose(typed);
  });
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role="option"]');
    if (option) take(option);
  });
  opener.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    if (isOpen()) close();
    else {
      input.focus();
      open('');
    }
  });
}
