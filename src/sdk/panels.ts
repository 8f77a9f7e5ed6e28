import type { Json, JsonSchema } from './schema.js';

/**
 * Data of a panel, returned by the route in the panel's `source`.
 * @example return { body: { kind: 'badge', tone: 'good', label: 'Webhook active' } satisfies PanelData };
 */
export type PanelData = BadgePanel | TablePanel | FormPanel;

/**
 * A coloured label.
 * @example { kind: 'badge', tone: 'warn', label: 'No webhook', detail: 'The provider removed it yesterday.' }
 */
export type BadgePanel = {
  readonly kind: 'badge';
  readonly tone: 'good' | 'warn' | 'bad' | 'neutral';
  readonly label: string;
  /** A sentence with more detail. */
  readonly detail?: string;
};

/**
 * A table; the console renders at most 200 rows.
 * @example { kind: 'table', columns: [{ key: 'at', label: 'When', type: 'time' }], rows: [{ at: '2026-11-20T09:00:00Z' }] }
 */
export type TablePanel = {
  readonly kind: 'table';
  readonly columns: readonly {
    readonly key: string;
    readonly label: string;
    /** Type of the cells; `time` is ISO 8601, `link` an https URL. Default: `text`. */
    readonly type?: 'text' | 'number' | 'time' | 'link';
  }[];
  readonly rows: readonly { readonly [key: string]: Json }[];
};

/**
 * A form, submitted as JSON to the POST route with the same path.
 * @example { kind: 'form', schema: { type: 'object', properties: { note: { type: 'string' } } }, values: {} }
 */
export type FormPanel = {
  readonly kind: 'form';
  /** JSON Schema of an object. */
  readonly schema: JsonSchema & { readonly [key: string]: Json };
  readonly values: { readonly [key: string]: Json };
};

/**
 * A panel of the console. It contains no code: the console renders the `PanelData` that the route returns.
 * @example { slot: 'contact', kind: 'table', title: 'Calls', source: 'panel' }
 */
export interface PanelManifest {
  /** The page with the panel: the integration, or a contact, whose ID is sent as the query parameter `focus`. */
  readonly slot: 'integration' | 'contact';
  readonly kind: 'form' | 'badge' | 'table';
  /** Heading of the panel. */
  readonly title: string;
  /**
   * Name of the GET route of this plugin that returns the data. A form is submitted to the POST route with the same
   * path.
   */
  readonly source: string;
}
