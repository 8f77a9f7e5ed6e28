/** By what matches can be grouped. */
export const GROUPINGS = ['month', 'week', 'day', 'property', 'source', 'value'] as const;
export type Grouping = (typeof GROUPINGS)[number];
/** Periods to choose from, in days; `all` has no beginning. */
export const PERIODS = ['7', '30', '90', '365', 'all'] as const;
export type Period = (typeof PERIODS)[number];
/** What matches are. */
export const KINDS = ['all', 'event', 'state'] as const;
export type Kind = (typeof KINDS)[number];
/** What the rows are. */
export const ROWS = ['observations', 'entities'] as const;
export type Rows = (typeof ROWS)[number];

export const DEFAULT_PERIOD: Period = '90';
export const DEFAULT_GROUPING: Grouping = 'month';

/** The address of the page: what is asked. */
export interface AskSearch {
  readonly kind?: Kind | undefined;
  /** Beginning of the property or event, such as `interaction.email`. */
  readonly property?: string | undefined;
  readonly source?: string | undefined;
  readonly period?: Period | undefined;
  /** Excludes people and companies that have a match of this property in the same time. */
  readonly without?: string | undefined;
  /** Question in plain words, which ranks the rows. */
  readonly q?: string | undefined;
  readonly by?: Grouping | undefined;
  readonly rows?: Rows | undefined;
  /** Days from and before which a group reaches; they go before `period`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Property of a group, where `property` also finds those that begin with it. */
  readonly exact?: string | undefined;
  /** Value of a group, as JSON. */
  readonly value?: string | undefined;
}

/** Reads the address of the page. What it cannot mean is left out. */
export function readAskSearch(search: Readonly<Record<string, unknown>>): AskSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const one = <Value extends string>(values: readonly Value[], name: string) =>
    values.find(each => each === String(search[name]));
  const day = (name: string) => {
    const value = text(name);
    return value !== undefined && !Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? value : undefined;
  };
  return {
    kind: one(KINDS, 'kind'),
    property: text('property'),
    source: text('source'),
    period: one(PERIODS, 'period'),
    without: text('without'),
    q: text('q'),
    by: one(GROUPINGS, 'by'),
    rows: one(ROWS, 'rows'),
    from: day('from'),
    to: day('to'),
    exact: text('exact'),
    value: isJson(search['value']) ? search['value'] : undefined,
  };
}

function isJson(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
