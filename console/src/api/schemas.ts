import type { components } from './schema.d.ts';

/** Types of the API by their names in its document. */
export type Schemas = components['schemas'];
