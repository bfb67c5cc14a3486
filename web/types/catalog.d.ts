// What the inputs may be.
import type { GpuSet, InputKey, WeightFormat } from './inputs.js';
import type { Known } from './known.js';

interface AnyField {
  key: InputKey;
  group: Known<'model' | 'precision' | 'workload' | 'training' | 'method' | 'hardware' | 'engine'>;
  unit: Known<'' | 'params' | 'layers' | 'tokens' | 'sequences' | 'percent' | 'gpus' | 'gib' | 'adapters'>;
  optional: boolean;
  common: boolean;
}

interface AnyChoice extends AnyField {
  default: string;
  /** Empty where the choices are the catalogue's models or GPUs. */
  choices: string[];
}

export interface ChoiceField extends AnyChoice {
  kind: 'choice';
}
export interface TextField extends AnyChoice {
  kind: 'text';
}
export interface GpuListField extends AnyChoice {
  kind: 'gpu-list';
}

interface AnyNumber extends AnyField {
  minimum: number;
  maximum: number;
  whole: boolean;
  /** `null` for an optional number. */
  default: number | null;
}

export interface NumberField extends AnyNumber {
  kind: 'number';
}
export interface TokensField extends AnyNumber {
  kind: 'tokens';
}
export interface ParamsField extends AnyNumber {
  kind: 'params';
}

export type Field = ChoiceField | TextField | GpuListField | NumberField | TokensField | ParamsField;

export interface CatalogModel {
  id: string;
  name: string;
  family: string;
  stated_params: number;
  /** What the checkpoint was published in. */
  native: WeightFormat;
  /** 0 when not stated. */
  max_position_embeddings: number;
}

export interface CatalogGpu {
  id: string;
  name: string;
  vendor: Known<'nvidia' | 'amd' | 'intel' | 'apple'>;
  form: Known<'pcie' | 'sxm' | 'oam' | 'superchip' | 'consumer' | 'laptop' | 'workstation' | 'unified'>;
  link: Known<'pcie' | 'nvlink' | 'xgmi' | 'ethernet' | 'none'>;
  /** The number on the box. */
  marketed_gb: number;
  usable_mib: number;
  /** `driver`: reported by the driver; `rule`: by the operating system's rule; `assumed`: ours. */
  usable_basis: Known<'driver' | 'rule' | 'assumed'>;
  bandwidth_gbs: number;
  max_per_node: number;
  sets: Known<Exclude<GpuSet, 'all'>>[];
}

export interface Catalog {
  version: string;
  /** YYYY-MM-DD: newest date of any row. */
  date: string;
  fields: Field[];
  models: CatalogModel[];
  gpus: CatalogGpu[];
}
