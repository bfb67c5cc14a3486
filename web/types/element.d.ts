// `vramfit/element`: defines <vram-fit> in documents.
import type { Known } from './known.js';
import type { Result } from './result.js';

export interface ChangeDetail {
  share: string;
  result: Result;
  /** False while somebody is still typing. */
  finished: boolean;
}

export interface ResizeDetail {
  /** CSS pixels. */
  height: number;
}

export interface ErrorDetail {
  /** What went wrong, or the notice that stands against an answer. */
  id: string;
  /** The same in the element's language. */
  message: string;
}

export type VramFitState = 'idle' | 'loading' | 'ready' | 'refused' | 'failed';

export interface VramFit extends HTMLElement {
  /** Canonical share string of what is shown; setting it sets the attribute. */
  share: string;
  /** The whole answer, frozen; `null` before there is one. */
  readonly result: Result | null;
  readonly state: VramFitState;
  /** Settles with the state once what was asked last is shown or has failed. */
  readonly ready: Promise<VramFitState>;
  view: Known<'compact' | 'full'>;
}

/** The element's class; `null` where there are no elements, as in Node. */
export const VramFit: { new (): VramFit; prototype: VramFit } | null;

declare global {
  interface HTMLElementTagNameMap {
    'vram-fit': VramFit;
  }
  interface GlobalEventHandlersEventMap {
    'vramfit-change': CustomEvent<ChangeDetail>;
    'vramfit-resize': CustomEvent<ResizeDetail>;
    'vramfit-error': CustomEvent<ErrorDetail>;
  }
}
