// What the documentation shows to be copied or tried.

// Asked when the site is built, so that each stands beside its answer.
export const shareExamples = [
  '',
  'model=gemma-3-27b&context=131072&method=worksheet',
  'model=llama-3.1-70b&weights=q4_k_m&gpus=consumer',
  'model=deepseek-v3&gpus=all&context=32k',
  'params=70b&num_layers=80&num_kv_heads=8&head_dim=128&context=32k',
  'gpus=h200:3.20,b200:4.75',
  'task=qlora&model=qwen3-32b',
  'model=llama-3.1-8b&context=16x',
  'model=llama-3.1-8b&sequences=100000000',
  'model=lama-3.1-8b',
];

export const elementSnippet = `<script type="module" src="/vramfit/assets/vram-fit.js"></script>

<vram-fit model="llama-3.1-70b" weights="fp8">
  <p>84 GB</p>
</vram-fit>`;

export const styleSnippet = `vram-fit {
  --vramfit-accent: #7a1fa2;
  --vramfit-surface: #fffdf8;
}`;

// What the element tells, and what each `detail` holds.
export const elementEvents = [['change', '{share, result, finished}'], ['resize', '{height}'], ['error', '{id, message}']];

export const eventsSnippet = `document.addEventListener('vramfit-change', ({ detail }) => {
  if (detail.finished) console.log(detail.share, detail.result.best);
});`;

export const pricesSnippet = `{
  "schema": "vramfit-prices/1",
  "currency": "USD",
  "provider": "Example Cloud",
  "date": "2026-11-30",
  "prices": [
    { "gpu": "h200", "usd_per_gpu_hour": 3.2 },
    { "gpu": "l40s", "usd_per_gpu_hour": 0.97, "kind": "spot" }
  ]
}`;

export const frameSnippet = `<iframe data-vramfit title="vramfit" width="100%" height="480" loading="lazy"
        src="https://example.org/vramfit/embed.html?model=llama-3.1-70b&amp;weights=fp8"></iframe>
<script src="https://example.org/vramfit/assets/embed-parent.js" async></script>`;

export const frameMessages = `{ type: 'vramfit-resize', version: 1, height }
{ type: 'vramfit-change', version: 1, share }
{ type: 'vramfit-error', version: 1, id, message }`;

export const frameQuestions = `{ type: 'vramfit-ask', version: 1 }
{ type: 'vramfit-set', version: 1, share }`;

export const frameScript = `const frame = document.querySelector('iframe[data-vramfit]');
const { origin } = new URL(frame.src);
addEventListener('message', (event) => {
  if (event.source !== frame.contentWindow || event.origin !== origin) return;
  const { type, version, height } = event.data;
  if (type === 'vramfit-resize' && version === 1 && height > 0) frame.style.height = \`\${height}px\`;
});`;

export const casesFolder = 'tests/accuracy/cases';

export const recordCommand = './dev accuracy --record';

export const measureCommand = './dev accuracy --worst 3 CASES.jsonl ...';
