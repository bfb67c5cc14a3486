// What an importer understood of a model's files, in words. The texts of the locale part `import` are needed beside the first.

// As a message, or the id itself where another version of the importer says what this one has no word for.
const named = (key, id, { t, has }) => (has(key) ? t(key) : id);

function layerView(run, text) {
  const { t, format } = text;
  const kind = named(`import_mixer.${run.mixer}`, run.mixer, text);
  const mixer = run.shares_kv ? t('import.layers.shares', { mixer: kind }) : kind;
  const feed = named(`import_feed.${run.feed_forward}`, run.feed_forward, text);
  return {
    count: format.number(run.count),
    // Layer numbers are what they are, but may break over lines.
    which: run.layers ? run.layers.replaceAll(',', ', ') : null,
    mixer: run.window > 0 ? t('import.layers.window', { mixer, tokens: format.number(run.window) }) : mixer,
    feed: run.num_experts > 0 ? t('import.layers.experts', { feed, active: format.number(run.experts_per_token), experts: format.number(run.num_experts) }) : feed,
    kv: run.kv_bytes_per_token > 0 ? format.bytes(run.kv_bytes_per_token) : null,
    state: run.state_bytes > 0 ? format.bytes(run.state_bytes) : null,
  };
}

// Rows of {label, params, bytes, share}, the largest first; bytes where they are known.
function shares(rows, label, text) {
  const { format } = text;
  const weighed = rows.some((row) => row.bytes > 0);
  const measure = (row) => (weighed ? row.bytes : row.params);
  const total = rows.reduce((sum, row) => sum + measure(row), 0);
  return rows.filter((row) => row.params > 0 || row.bytes > 0).sort((a, b) => measure(b) - measure(a)).map((row) => ({
    label: label(row.id),
    params: format.params(row.params),
    bytes: row.bytes > 0 ? format.bytes(row.bytes) : null,
    share: total > 0 ? format.share(measure(row) / total) : null,
  }));
}

// {severity, text, place}: what is wrong or worth knowing, and where to look as far as the text does not say it.
export function remarkView(remark, text) {
  const { t, has, format } = text;
  const { severity, id, file = '', where = '', value = '', wanted = '', number = 0 } = remark;
  const base = `import_remark.${id}`;
  // A remark may say more where there is more to say.
  const key = (value !== '' && has(`${base}.value`) && `${base}.value`) || (wanted !== '' && has(`${base}.wanted`) && `${base}.wanted`) || base;
  const figure = (piece) => (/^\d{4,15}$/.test(piece) ? format.number(Number(piece)) : piece);
  const place = named(`import_class.${where}`, where, text);
  const words = has(base) ? t(key, { file, where: place, value: figure(value), wanted: figure(wanted), number: format.number(number), bytes: format.bytes(number) }) : id;
  const unsaid = (piece) => piece !== '' && !words.includes(piece) && !words.includes(figure(piece));
  return { severity, text: words, place: [file, place, value].filter(unsaid) };
}

export const importedName = (imported, { t }) => imported.name || imported.type || t('import.unnamed');

// `imported` as importModel() gives it.
export function explainImport(imported, text) {
  const { t, has, format } = text;
  const name = importedName(imported, text);
  const remarks = imported.remarks.map((remark) => remarkView(remark, text));
  if (!imported.ok) {
    const count = remarks.filter(({ severity }) => severity === 'error').length;
    return { ok: false, name, sentence: t('import.refused', { count }), remarks, facts: [], rest: null, layers: [], classes: [], dtypes: [], rules: [] };
  }
  const count = imported.layers.reduce((sum, run) => sum + run.count, 0);
  const { total, active } = imported.parameters;
  const params = format.params(total);
  const { max_position_embeddings: context, file_bytes: files, tensor_bytes: tensors, explained_bytes: explained } = imported;
  const rest = tensors - explained;
  const facts = [
    ['type', imported.type],
    ['origin', imported.origin && named(`import.origin.${imported.origin}`, imported.origin, text)],
    ['active', active > 0 && active < total && format.params(active)],
    ['context', context > 0 && t('import.tokens', { tokens: format.number(context) })],
    ['file_bytes', files > 0 && tensors > 0 && format.bytes(files)],
    ['tensor_bytes', tensors > 0 && format.bytes(tensors)],
    ['explained', tensors > 0 && t('import.explained.of', { bytes: format.bytes(explained), share: format.percent(Math.floor((explained / tensors) * 1000) / 10) })],
  ].filter(([, value]) => value).map(([id, value]) => ({ id, label: t(`import.${id}`), value }));
  return {
    ok: true,
    name,
    sentence: tensors > 0 ? t('import.said.bytes', { name, params, count, bytes: format.bytes(tensors) }) : t('import.said', { name, params, count }),
    remarks,
    facts,
    rest: tensors > 0 && rest !== 0 ? t('import.explained.rest', { bytes: format.bytes(rest) }) : null,
    layers: imported.layers.map((run) => layerView(run, text)),
    classes: shares(imported.classes, (id) => named(`import_class.${id}`, id, text), text),
    dtypes: shares(imported.dtypes, (id) => id, text),
    rules: imported.inferred.map(({ id, where, source }) => ({
      text: has(`import_rule.${id}`) ? t(`import_rule.${id}`, { where }) : [id, where].filter(Boolean).join(' '),
      source: source && named(`import_source.${source}`, source, text),
    })),
  };
}
