// Release numbers of vLLM, or the date of a statement that has none, -> the product's `vllm_version`, whose choices are the releases that
// began each era.
const eras = [
  // [first minor release of 0.x, first month in which statements are about it rather than the one before, choice]
  [21, '2026-07', '0.21'],
  [17, '2026-04', '0.17'],
  [8, '2025-04', '0.8'],
  [7, '2025-01', 'v0'],
  [0, '2000-01', '0.6'],
];

// -> a choice, or null for the product's default.
export function vllm_version(text, date) {
  const said = String(text ?? '');
  const minor = /(?:^|[^\d.])0\.(\d+)/.exec(said)?.[1];
  if (minor !== undefined) return eras.find(([first]) => Number(minor) >= first)[2];
  if (/\bV0\b/.test(said)) return 'v0';
  if (/\bV1\b/.test(said)) return '0.8';
  const month = /\b(20\d\d-\d\d)/.exec(`${said} ${date ?? ''}`)?.[1];
  return month ? eras.find(([, first]) => month >= first)[2] : null;
}
