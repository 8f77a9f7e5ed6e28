import type { Json } from './json.js';
import type { JsonSchema } from './schema.js';

/**
 * What a panel shows; the answer of the route that the panel's `source` names.
 * @example return { body: { kind: 'badge', tone: 'good', label: 'Webhook active' } satisfies PanelData };
 */
export type PanelData = BadgePanel | TablePanel | FormPanel;

/**
 * A word in a colour.
 * @example { kind: 'badge', tone: 'warn', label: 'No webhook', detail: 'The provider dropped it yesterday.' }
 */
export type BadgePanel = {
  readonly kind: 'badge';
  readonly tone: 'good' | 'warn' | 'bad' | 'neutral';
  readonly label: string;
  /** A sentence. */
  readonly detail?: string;
};

/**
 * Rows; at most 200 are drawn.
 * @example { kind: 'table', columns: [{ key: 'at', label: 'When', type: 'time' }], rows: [{ at: '2026-11-20T09:00:00Z' }] }
 */
export type TablePanel = {
  readonly kind: 'table';
  readonly columns: readonly {
    readonly key: string;
    readonly label: string;
    /** `time` is ISO 8601, `link` an https address. Default: `text`. */
    readonly type?: 'text' | 'number' | 'time' | 'link';
  }[];
  readonly rows: readonly { readonly [key: string]: Json }[];
};

/**
 * Fields to fill in; sent as JSON to the POST route of the same path.
 * @example { kind: 'form', schema: { type: 'object', properties: { note: { type: 'string' } } }, values: {} }
 */
export type FormPanel = {
  readonly kind: 'form';
  /** JSON Schema of an object. */
  readonly schema: JsonSchema & { readonly [key: string]: Json };
  readonly values: { readonly [key: string]: Json };
};
