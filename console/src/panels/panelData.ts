/** A coloured label. */
export interface BadgeData {
  readonly kind: 'badge';
  readonly tone: 'good' | 'warn' | 'bad' | 'neutral';
  readonly label: string;
  readonly detail?: string;
}

/** A column of a table, with the type of its cells. */
export interface PanelColumn {
  readonly key: string;
  readonly label: string;
  readonly type?: string;
}

/** A table of plain values. */
export interface TableData {
  readonly kind: 'table';
  readonly columns: readonly PanelColumn[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A form, described by a JSON Schema. */
export interface FormData {
  readonly kind: 'form';
  readonly schema: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Data of a panel, as the plugin contract describes it. */
export type PanelData = BadgeData | TableData | FormData;

/** Most rows of a table that are drawn; the plugin contract promises no more. */
const MAX_ROWS = 200;
const TONES: ReadonlySet<unknown> = new Set(['good', 'warn', 'bad', 'neutral']);

/** Returns the data of a panel; undefined if the plugin sent something else. */
export function readPanelData(body: unknown): PanelData | undefined {
  if (!isObject(body)) return undefined;
  if (body['kind'] === 'badge') return readBadge(body);
  if (body['kind'] === 'table') return readTable(body);
  return body['kind'] === 'form' ? readForm(body) : undefined;
}

function readBadge({ tone, label, detail }: Readonly<Record<string, unknown>>): BadgeData | undefined {
  if (typeof label !== 'string' || !TONES.has(tone)) return undefined;
  return { kind: 'badge', tone: tone as BadgeData['tone'], label, ...(typeof detail === 'string' && { detail }) };
}

function readTable({ columns, rows }: Readonly<Record<string, unknown>>): TableData | undefined {
  if (!Array.isArray(columns) || !columns.every(isColumn)) return undefined;
  if (!Array.isArray(rows) || !rows.every(isObject)) return undefined;
  return { kind: 'table', columns, rows: rows.slice(0, MAX_ROWS) };
}

function readForm({ schema, values }: Readonly<Record<string, unknown>>): FormData | undefined {
  return isObject(schema) && isObject(values) ? { kind: 'form', schema, values } : undefined;
}

function isColumn(value: unknown): value is PanelColumn {
  return isObject(value) && typeof value['key'] === 'string' && typeof value['label'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the address of a link; undefined unless it is https, so that no plugin can run code by it. */
export function toSafeLink(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  return new URL(value).protocol === 'https:' ? value : undefined;
}
