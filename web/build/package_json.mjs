// The package.json of the npm package. The one at the root of the tree is of the build's tools and stays private.
const entry = (name, { node } = {}) => ({ types: `./types/${name}.d.ts`, ...(node && { node }), default: `./${name}.mjs` });

export const packageJson = (version) => ({
  name: 'vramfit',
  version,
  description: 'How much GPU memory an LLM needs, and which GPUs fit it: computed locally by one WebAssembly module.',
  keywords: ['llm', 'gpu', 'vram', 'memory', 'calculator', 'kv-cache', 'inference', 'fine-tuning', 'wasm'],
  license: 'MIT',
  type: 'module',
  engines: { node: '>=18' },
  bin: { vramfit: 'cli.mjs' },
  exports: {
    '.': entry('vramfit', { node: './vramfit_node.mjs' }),
    './inline': entry('inline'),
    './text': entry('text'),
    './element': { types: './types/element.d.ts', default: './vram-fit.js' },
    './price-list': entry('price_list'),
    './import': entry('import', { node: './import_node.mjs' }),
    './locales/*': { types: './types/locale.d.ts', default: './locales/*.mjs' },
    './vramfit-core.wasm': './vramfit-core.wasm',
    './vramfit-full.wasm': './vramfit-full.wasm',
    './vramfit-import.wasm': './vramfit-import.wasm',
    './package.json': './package.json',
  },
  files: ['*.mjs', '*.js', '*.wasm', 'locales', 'types', 'RESULT.md', 'PRICES.md', 'IMPORT.md'],
  sideEffects: ['./cli.mjs', './vram-fit.js'],
});
