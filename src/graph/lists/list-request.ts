import {
  type FieldCatalogue,
  type Filter,
  type FilterProblem,
  listFilterProperties,
  parseSort,
  type SortKey,
} from '#domain/filters/filter.js';
import { parseFilter } from '#domain/filters/parse-filter.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import {
  type CountMode,
  hashList,
  readCount,
  readFields,
  readIncludes,
  type Include,
  readOffset,
  readPageSize,
  type RawQuery,
  readTextParam,
} from './list-parameters.js';
import { MAX_HISTORICAL_PAGE_SIZE, type PointInTime, parseAsOf, rejectFieldsWithoutPast } from './as-of.js';

/** A validated list query. */
export interface ListRequest {
  readonly filter: Filter;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly offset: number;
  /** The fields of a row to return; undefined: all. */
  readonly fields: readonly string[] | undefined;
  readonly include: ReadonlySet<Include>;
  /** How to count the rows; undefined: not at all. */
  readonly count: CountMode | undefined;
  /** Past time to read; undefined: now. */
  readonly past: PointInTime | undefined;
  /** Identifies the list, so that a cursor of another one is rejected. */
  readonly hash: string;
  /** Canonical names of the requested properties. A property that was never stated is taken for a typing error. */
  readonly properties: ReadonlySet<string>;
}

/** The definition of a list. */
export interface ListFields {
  readonly path: string;
  /** Names of the fields of a row; any other name is a property. */
  readonly fields: ReadonlySet<string>;
  /** Properties that every row shows, by canonical name. */
  readonly properties: readonly string[];
  readonly catalogue: FieldCatalogue;
  readonly defaultSort: string;
  /** Sort orders by name. */
  readonly namedSorts: Readonly<Record<string, string>>;
  /** Columns whose past values can be derived from the log. */
  readonly derivedColumns: ReadonlySet<string>;
  /**
   * Parameters that set a condition. Each returns the filter for a value, or a text that says what the value must be.
   */
  readonly parameters: Readonly<Record<string, (value: string) => object | string>>;
}

const COMMON_PARAMETERS = [
  'filter',
  'sort',
  'limit',
  'cursor',
  'offset',
  'page',
  'fields',
  'include',
  'count',
  'as_of',
  'known_at',
];
const MAX_FILTER_LENGTH = 16_384;
const SORT_FORMS = ['<field>', '-<field>', '<property>.confidence', '<property>.freshness'];

/**
 * Reads the query of a list. A name that is neither a parameter nor a field is a property. Relative times such as
 * `-30d` are relative to `as_of`.
 * @throws HubError `unknown_query_param`, `unknown_sort`, `offset_too_large`, `invalid_request` naming the parameter.
 */
export function readListRequest(listFields: ListFields, query: RawQuery, today: Instant): ListRequest {
  const past = parseAsOf(query);
  const now = past?.asOf ?? today;
  const conditions: Filter[] = [];
  const problems: FieldProblem[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (COMMON_PARAMETERS.includes(name)) continue;
    const read = parseFilter(toCondition(listFields, name, value), listFields.catalogue, now, name);
    if (read.ok) conditions.push(read.filter);
    else if (read.problems.some(isUnknownName)) throw unknownParameterError(listFields, name);
    else problems.push(...read.problems.map(problem => ({ field: name, message: withoutPath(problem) })));
  }
  if (query['filter'] !== undefined) {
    const read = parseFilter(
      parseFilterJson(readTextParam('filter', query['filter'], MAX_FILTER_LENGTH)),
      listFields.catalogue,
      now,
    );
    if (read.ok) conditions.push(read.filter);
    else problems.push(...read.problems);
  }
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  const filter: Filter = { all: [...conditions, ...createdBefore(past)] };
  const sort = parseSortParam(listFields, query['sort'] ?? (past && '-created_at'));
  if (past) rejectFieldsWithoutPast(filter, sort, listFields.derivedColumns);
  return {
    filter,
    sort,
    past,
    ...readWindow(query, past),
    hash: hashQuery(listFields, query),
    properties: listFilterProperties([filter, sort]),
  };
}

/** Returns the error `unknown_query_param`, which names the valid parameters. */
export function unknownParameterError({ parameters, catalogue }: ListFields, name: string): HubError {
  const supported = [
    ...new Set([...COMMON_PARAMETERS, ...Object.keys(parameters), ...catalogue.columns.keys()]),
  ].toSorted();
  const detail = `Unknown query parameter "${name.slice(0, 80)}": no observation of this workspace states a property of this name.`;
  return new HubError('unknown_query_param', { detail, extra: { supported: [...supported, '<property>'] } });
}

/**
 * Returns the error `invalid_request` for an unknown field, which names the fields of a row.
 * @param property canonical name of the field.
 */
export function unknownFieldError(
  { fields: ofRows }: ListFields,
  fields: readonly string[],
  property: string,
): HubError {
  const name = fields.find(field => canonicalProperty(field) === property) ?? property;
  const message =
    `"${name}" is not a field of the rows, and no observation of this workspace states a property of this name. ` +
    `The fields are ${[...ofRows].toSorted().join(', ')}; stated properties are fields as well.`;
  return HubError.invalidRequest([{ field: 'fields', message }]);
}

/** Returns the canonical names of the properties among `fields`. */
export function requestedProperties({ fields: ofRows }: ListFields, { fields = [] }: ListRequest): string[] {
  return fields.filter(name => !ofRows.has(name)).map(canonicalProperty);
}

/** People who were created later are not in a past list. */
function createdBefore(past: PointInTime | undefined): Filter[] {
  if (past?.knownAt === undefined) return [];
  const test = { op: 'compare', side: '<=', value: past.knownAt } as const;
  return [{ field: { name: 'created_at', kind: 'time' }, test }];
}

/** Returns the error `unknown_sort`, which names the valid orders. */
export function unknownSortError(namedSorts: ListFields['namedSorts']): HubError {
  return new HubError('unknown_sort', { extra: { supported: [...Object.keys(namedSorts), ...SORT_FORMS] } });
}

function readWindow(query: RawQuery, past: PointInTime | undefined) {
  const limit = past ? Math.min(readPageSize(query['limit']), MAX_HISTORICAL_PAGE_SIZE) : readPageSize(query['limit']);
  return {
    limit,
    cursor: query['cursor'] === undefined ? undefined : readTextParam('cursor', query['cursor'], 2_000),
    offset: readOffset(query, limit),
    fields: readFields(query['fields']),
    include: readIncludes(query['include']),
    count: readCount(query['count']),
  };
}

function toCondition({ parameters }: ListFields, name: string, param: unknown): object {
  const value = readTextParam(name, param, 1_000);
  const condition = Object.hasOwn(parameters, name) ? parameters[name]!(value) : { [name]: value };
  if (typeof condition === 'string')
    throw HubError.invalidRequest([{ field: name, message: `${name} must be ${condition}.` }]);
  return condition;
}

/** Names a nested problem by its parameter alone. */
function withoutPath({ field, message }: FilterProblem): string {
  return message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

function isUnknownName({ message }: FilterProblem): boolean {
  return message.endsWith('is neither a field nor a property.');
}

function parseFilterJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = 'filter must be JSON such as {"title": {"$contains": "vp", "freshness": "fresh"}}.';
    throw HubError.invalidRequest([{ field: 'filter', message }]);
  }
}

function parseSortParam({ namedSorts, defaultSort, catalogue }: ListFields, value: unknown): readonly SortKey[] {
  const order = value === undefined ? defaultSort : readTextParam('sort', value, 300);
  const sort = parseSort(Object.hasOwn(namedSorts, order) ? namedSorts[order]! : order, catalogue);
  if (sort) return sort;
  throw unknownSortError(namedSorts);
}

/** A cursor belongs to the query as written: relative times denote other instants on every page. */
function hashQuery({ path, defaultSort }: ListFields, query: RawQuery): string {
  const ignored = new Set(['cursor', 'limit', 'fields', 'include', 'count', 'offset', 'page']);
  const params = Object.entries({ sort: defaultSort, ...query }).filter(([name]) => !ignored.has(name));
  return hashList(
    path,
    params.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
