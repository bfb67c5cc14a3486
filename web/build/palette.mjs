// The palette as the style sheet has it: {name: {light, dark}} in its order.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'page', 'palette.css');

export const palette = () => new Map([...readFileSync(file, 'utf8').matchAll(/--([\w-]+): (?:var\([^,]+, )?light-dark\((#\w+), (#\w+)\)/g)].map((m) => [m[1], { light: m[2], dark: m[3] }]));
