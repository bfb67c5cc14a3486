// A small scanner for JavaScript: the texts of its string and template literals, without comments and regular expressions.
// Enough for this repository's modules; it is no parser.

// The texts of C++ string literals, [{text, line}], without those of comments and preprocessor lines.
export function cppLiterals(source) {
  const found = [];
  source.split('\n').forEach((code, i) => {
    if (/^\s*#/.test(code)) return;
    for (const [, text] of code.matchAll(/\/\/.*|'(?:\\.|[^'\\])'|"((?:\\.|[^"\\])*)"/g)) if (text !== undefined) found.push({ text, line: i + 1 });
  });
  return found;
}

// [{text, tag, line}]; in templates each ${...} stands as \0, and literals inside it come on their own. `tag` is what stands before a
// template, such as html.
export function literals(source) {
  const found = [];
  let at = 0;
  let line = 1;
  let before = '';  // the last character or word of code that was no space
  const step = () => {
    if (source[at] === '\n') line += 1;
    return source[at++];
  };
  const escaped = () => {
    step();
    return { n: '\n', t: '\t' }[source[at]] ? (step(), ' ') : step();
  };

  function quoted(quote) {
    const start = line;
    let text = '';
    step();
    while (source[at] !== quote) text += source[at] === '\\' ? escaped() : step();
    step();
    found.push({ text, tag: '', line: start });
  }

  function template(tag) {
    const start = line;
    let text = '';
    step();
    while (source[at] !== '`') {
      if (source.startsWith('${', at)) {
        at += 2;
        code('}');
        step();
        text += '\0';
      } else {
        text += source[at] === '\\' ? escaped() : step();
      }
    }
    step();
    found.push({ text, tag, line: start });
  }

  function pattern() {
    let inClass = false;
    step();
    while (source[at] !== '/' || inClass) {
      if (source[at] === '\\') step();
      else if (source[at] === '[') inClass = true;
      else if (source[at] === ']') inClass = false;
      step();
    }
    step();
  }

  function code(end) {
    let depth = 0;
    while (at < source.length) {
      const c = source[at];
      if (c === end && depth === 0) return;
      if (source.startsWith('//', at)) {
        while (at < source.length && source[at] !== '\n') at += 1;
      } else if (source.startsWith('/*', at)) {
        while (!source.startsWith('*/', at)) step();
        at += 2;
      } else if (c === "'" || c === '"') {
        quoted(c);
        before = 'x';
      } else if (c === '`') {
        template(/^\w+$/.test(before) ? before : '');
        before = 'x';
      } else if (c === '/' && (/^[([{,;=:?&|!+*%<>~^-]?$/.test(before) || /^(return|typeof|case|of|in)$/.test(before))) {
        pattern();
        before = 'x';
      } else if (/[\w$]/.test(c)) {
        before = '';
        while (/[\w$]/.test(source[at] ?? '')) before += step();
      } else {
        if (c === '{') depth += 1;
        if (c === '}') depth -= 1;
        if (!/\s/.test(c)) before = c;
        step();
      }
    }
  }
  code(null);
  return found;
}
