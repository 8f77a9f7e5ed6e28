import type { Catalogue } from '#domain/filters/fields.js';
import { type Filter, type FilterProblem } from '#domain/filters/filter.js';
import { readFilter } from '#domain/filters/read-filter.js';
import { propertiesIn, readSort, type SortKey } from '#domain/filters/sort.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import { HubError, type Problem } from '#kernel/errors/errors.js';
import { listHash } from './cursor.js';
import { MAX_PAST_LIMIT, type Past, pastOf, refuseChanging } from './past.js';
import {
  countOf,
  fieldsOf,
  includesOf,
  type Include,
  offsetOf,
  pageSizeOf,
  type RawQuery,
  textOf,
} from './query-values.js';

/** What a caller wants of a list, checked. */
export interface ListRequest {
  readonly filter: Filter;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly offset: number;
  /** The fields of a row that are wanted; undefined is all of them. */
  readonly fields: readonly string[] | undefined;
  readonly include: ReadonlySet<Include>;
  readonly count: boolean;
  /** Another time than now. */
  readonly past: Past | undefined;
  /** Tells this list from others when a cursor comes back. */
  readonly hash: string;
  /** Properties that are asked for, by their canonical names: those that nobody ever stated are a slip. */
  readonly properties: ReadonlySet<string>;
}

/** What is special about a list. */
export interface ListDialect {
  readonly path: string;
  /** The names of the fields that a row has; any other is a property. */
  readonly fields: ReadonlySet<string>;
  readonly catalogue: Catalogue;
  readonly defaultSort: string;
  /** Names of whole orders. */
  readonly namedSorts: Readonly<Record<string, string>>;
  /** Parameters that stand for a condition: the filter, as JSON, that a value means; or what the value has to be. */
  readonly parameters: Readonly<Record<string, (value: string) => object | string>>;
}

const COMMON = [
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
const LONGEST_FILTER = 16_384;

/**
 * Reads the query of a list. Whatever is neither a parameter nor a field is taken for a property.
 * @throws HubError `unknown_query_param`, `unknown_sort`, `offset_too_large`, `invalid_request` naming the parameter.
 */
export function readListRequest(dialect: ListDialect, query: RawQuery, now: Instant): ListRequest {
  const conditions: Filter[] = [];
  const problems: Problem[] = [];
  for (const [name, given] of Object.entries(query)) {
    if (COMMON.includes(name)) continue;
    const read = readFilter(conditionOf(dialect, name, given), dialect.catalogue, now, name);
    if (read.ok) conditions.push(read.filter);
    else if (read.problems.some(isUnknown)) throw unknownParameter(dialect, name);
    else problems.push(...read.problems.map(problem => ({ field: name, message: ownWords(problem) })));
  }
  if (query['filter'] !== undefined) {
    const read = readFilter(parsed(textOf('filter', query['filter'], LONGEST_FILTER)), dialect.catalogue, now);
    if (read.ok) conditions.push(read.filter);
    else problems.push(...read.problems);
  }
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  const past = pastOf(query);
  const filter: Filter = { all: [...conditions, ...knownBy(past)] };
  const sort = sortOf(dialect, query['sort'] ?? (past && '-created_at'));
  if (past) refuseChanging(filter, sort);
  return {
    filter,
    sort,
    past,
    ...windowOf(query, past),
    hash: hashOf(dialect, query),
    properties: propertiesIn([filter, sort]),
  };
}

/** @throws HubError `unknown_query_param` naming what can be sent. */
export function unknownParameter({ parameters, catalogue }: ListDialect, name: string): HubError {
  const supported = [...new Set([...COMMON, ...Object.keys(parameters), ...catalogue.columns.keys()])].toSorted();
  const detail = `There is no query parameter "${name.slice(0, 80)}" here, and no such property is stated in this workspace.`;
  return new HubError('unknown_query_param', { detail, extra: { supported: [...supported, '<property>'] } });
}

/** @throws HubError `invalid_request` naming the fields of a row. @param property as it is called canonically. */
export function unknownField({ fields: ofRows }: ListDialect, fields: readonly string[], property: string): HubError {
  const asked = fields.find(name => canonicalProperty(name) === property) ?? property;
  const message =
    `"${asked}" is no field of a row here, and no such property is stated in this workspace. ` +
    `There are ${[...ofRows].toSorted().join(', ')}, and the properties.`;
  return HubError.invalidRequest([{ field: 'fields', message }]);
}

/** The properties that `fields` asks for, by their canonical names. */
export function propertiesWanted({ fields: ofRows }: ListDialect, { fields = [] }: ListRequest): string[] {
  return fields.filter(name => !ofRows.has(name)).map(canonicalProperty);
}

/** Who was not known by then is on no list of then. */
function knownBy(past: Past | undefined): Filter[] {
  if (past?.knownAt === undefined) return [];
  const test = { op: 'compare', side: '<=', value: past.knownAt } as const;
  return [{ field: { name: 'created_at', kind: 'time' }, test }];
}

/** @throws HubError `unknown_sort` naming what can be sent. */
export function unknownSort(namedSorts: ListDialect['namedSorts']): HubError {
  return new HubError('unknown_sort', { extra: { supported: [...Object.keys(namedSorts), '<field>', '-<field>'] } });
}

function windowOf(query: RawQuery, past: Past | undefined) {
  const limit = past ? Math.min(pageSizeOf(query['limit']), MAX_PAST_LIMIT) : pageSizeOf(query['limit']);
  return {
    limit,
    cursor: query['cursor'] === undefined ? undefined : textOf('cursor', query['cursor'], 2_000),
    offset: offsetOf(query, limit),
    fields: fieldsOf(query['fields']),
    include: includesOf(query['include']),
    count: countOf(query['count']),
  };
}

function conditionOf({ parameters }: ListDialect, name: string, given: unknown): object {
  const value = textOf(name, given, 1_000);
  const meant = Object.hasOwn(parameters, name) ? parameters[name]!(value) : { [name]: value };
  if (typeof meant === 'string') throw HubError.invalidRequest([{ field: name, message: `${name} must be ${meant}.` }]);
  return meant;
}

/** A parameter has no path within it. */
function ownWords({ field, message }: FilterProblem): string {
  return message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

function isUnknown({ message }: FilterProblem): boolean {
  return message.endsWith('is neither a field nor a property.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = 'filter must be JSON such as {"title": {"$contains": "vp", "freshness": "fresh"}}.';
    throw HubError.invalidRequest([{ field: 'filter', message }]);
  }
}

function sortOf({ namedSorts, defaultSort, catalogue }: ListDialect, given: unknown): readonly SortKey[] {
  const asked = given === undefined ? defaultSort : textOf('sort', given, 300);
  const sort = readSort(Object.hasOwn(namedSorts, asked) ? namedSorts[asked]! : asked, catalogue);
  if (sort) return sort;
  throw unknownSort(namedSorts);
}

/** A cursor belongs to what was asked, word for word: a relative time means another moment on every page. */
function hashOf({ path, defaultSort }: ListDialect, query: RawQuery): string {
  const without = new Set(['cursor', 'limit', 'fields', 'include', 'count', 'offset', 'page']);
  const asked = Object.entries({ sort: defaultSort, ...query }).filter(([name]) => !without.has(name));
  return listHash(
    path,
    asked.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
