// A model's files among many: what can be read of a repository or a folder, each a model of its own: sets of safetensors with the
// configuration that goes with them, GGUF files with all their parts, configurations alone.

const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
export const baseOf = (path) => path.slice(path.lastIndexOf('/') + 1);

// Weights that are not a model: what training leaves, and what is put on top of one.
const beside = /^(adapter|optimizer|scheduler|training_args|rng_state|scaler)/i;
const parted = /^(.*?)-(\d{5})-of-(\d{5})$/;

// A weight file's name without its ending and its number among the parts.
function setOf(path) {
  const [, stem, ending] = baseOf(path).match(/^(.*)\.(safetensors|gguf)$/i) ?? [];
  if (!stem || beside.test(stem)) return null;
  const [, set = stem, , of = null] = stem.match(parted) ?? [];
  return { set, ending: ending.toLowerCase(), parts: of === null ? 1 : Number(of) };
}

const isConfig = (path) => ['config.json', 'params.json'].includes(baseOf(path));

// Whether an importer can make anything of it.
export const isModelFile = (path) => isConfig(path) || setOf(path) !== null || /\.safetensors\.index(\.[\w-]+)?\.json$/i.test(path);

// `files`: [{path, size}]. Gives [{id, kind, folder, name, parts, files, bytes}]: `kind` safetensors, consolidated, gguf or config; `parts`
// as many weight files as its name says there are; `files` those that are there, the configuration first; `bytes` those of its weights.
export function choicesOf(files) {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const sets = new Map();
  for (const file of files) {
    const found = setOf(file.path);
    if (!found) continue;
    const folder = folderOf(file.path);
    const id = `${folder}${found.set}.${found.ending}`;
    if (!sets.has(id)) sets.set(id, { id, folder, ...found, weights: [] });
    sets.get(id).weights.push(file);
  }
  // The nearest folder above that has one.
  function nearest(folder, names) {
    for (let at = folder; ; at = folderOf(at.slice(0, -1))) {
      for (const name of names) if (byPath.has(at + name)) return byPath.get(at + name);
      if (at === '') return null;
    }
  }
  const weighed = [...sets.values()].map(({ id, folder, set, ending, parts, weights }) => {
    const consolidated = ending === 'safetensors' && /^consolidated\b/.test(set);
    // Variants carry their name in front of their number, and behind "index".
    const index = ending === 'safetensors' && weights.length + parts > 2
      ? byPath.get(`${folder}${set}.safetensors.index.json`) ?? byPath.get(`${folder}${set.replace(/\.([\w-]+)$/, '.safetensors.index.$1')}.json`)
      : null;
    const config = ending === 'gguf' ? null : nearest(folder, consolidated ? ['params.json', 'config.json'] : ['config.json', 'params.json']);
    weights.sort((a, b) => (a.path < b.path ? -1 : 1));
    return {
      id, kind: ending === 'gguf' ? 'gguf' : consolidated ? 'consolidated' : 'safetensors', folder, name: set, parts,
      files: [config, index, ...weights].filter(Boolean),
      bytes: weights.reduce((sum, file) => sum + file.size, 0),
    };
  });
  const alone = files.filter(({ path }) => isConfig(path)).map((file) => ({ id: file.path, kind: 'config', folder: folderOf(file.path), name: baseOf(file.path), parts: 0, files: [file], bytes: 0 }));
  const order = ['safetensors', 'consolidated', 'gguf', 'config'];
  const depth = ({ folder }) => folder.split('/').length;
  return [...weighed, ...alone].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || depth(a) - depth(b) || a.bytes - b.bytes || (a.id < b.id ? -1 : 1));
}

// The choice that a path, or a quantization's name, is about; the first without one.
export function choiceFor(choices, { path = null, tag = null } = {}) {
  const named = path && choices.find(({ files, kind }) => files.some((file) => file.path === path) && (kind !== 'config' || isConfig(path)));
  const inFolder = path && choices.find(({ folder }) => folder.startsWith(`${path}/`));
  const tagged = tag && choices.find(({ kind, name }) => kind === 'gguf' && name.toLowerCase().endsWith(tag.toLowerCase()));
  return named || inFolder || tagged || choices[0] || null;
}
