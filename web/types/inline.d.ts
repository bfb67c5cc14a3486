// `vramfit/inline`: the same with the module inside the script: nothing is fetched.
import type { Vramfit } from './calculator.js';

export * from './all.js';

export function loadVramfit(): Promise<Vramfit>;
