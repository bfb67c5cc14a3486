// What was not used as typed, or should be known beside the answer.
import type { InputKey } from './inputs.js';
import type { Known } from './known.js';

export type NoticeId = Known<
  | 'ambiguous-gpu' | 'bad-encoding' | 'bad-price' | 'context-beyond-model' | 'duplicate-key' | 'field-not-used' | 'metadata-not-counted'
  | 'mixture-resident' | 'native-needs-model' | 'no-gpus' | 'not-a-number' | 'not-whole' | 'out-of-range' | 'too-long'
  | 'bfloat16-on-chip' | 'encoder-profile' | 'engine-kv-format' | 'engine-needs-gguf' | 'engine-needs-model' | 'engine-no-mtp' | 'engine-one-request'
  | 'engine-reads-no-gguf' | 'engine-requests-queue' | 'engine-sequence-limit' | 'engine-serves-only' | 'engine-state-blocks' | 'engine-weights-from-shape' | 'little-beside-budget'
  | 'llama-full-windows' | 'llama-layers-on-host' | 'llama-no-experts' | 'llama-no-mmproj' | 'more-than-a-host' | 'precision-on-chip' | 'quantize-at-load' | 'sglang-share-too-small'
  | 'shape-name' | 'shape-number' | 'shape-layers' | 'shape-limit' | 'shape-missing' | 'formats-name' | 'formats-number' | 'formats-order' | 'formats-gguf' | 'formats-limit'
  | 'formats-rest' | 'name-cut'
  | 'start-varies' | 'tensor-parallel-flag' | 'window-flag'
  | 'tower-separate-file' | 'unknown-choice' | 'unknown-gpu' | 'unknown-key' | 'unknown-model' | 'unsupported-version' | 'usable-assumed'
>;

export interface Notice {
  /** `error`: no answer until it is settled; `warning`: something typed was not used as typed. */
  severity: 'error' | 'warning' | 'info';
  id: NoticeId;
  /** The key it is about: an input's, or whatever was typed. */
  field: Known<InputKey>;
  /** The text as typed. */
  value: string;
  /** The figure used instead, or a limit; 0 when there is none. */
  used: number;
}
