import {
  isOfKind,
  resolvePropertyNames,
  type ObservationFilter,
  type ObservationScope,
  type Aggregate,
  AGGREGATES,
  type Grouping,
  GROUPINGS,
  type Query,
  SUMMARIES,
} from '#domain/query/query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { parseFilter } from '#domain/filters/parse-filter.js';
import { findIssue, isPlainObject, type JsonValue } from '#domain/observation/observation.js';
import { DAY_US, type Instant } from '#domain/time/instant.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import type { AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { readNoteHolderIds } from '../notes/notes-list.queries.js';
import { readPropertyNames } from './query.queries.js';
import { type ResolvedScope, entityCatalogue } from './corpus-sql.js';
import { hashList } from '../lists/list-parameters.js';
import { FieldReader } from './field-reader.js';

/** A resolved scope, with the caller's names by canonical property. */
export type ScopeWithNames = ResolvedScope & { readonly requestedNames: ReadonlyMap<string, string> };

/**
 * Resolves a scope: its property names to those in the log, and its entity to the IDs of the cluster and, for a company,
 * of its people. Returns the candidates if a name matches several entities.
 * @throws HubError `entity_not_found`, `invalid_focus`.
 */
export async function resolveScope(
  tx: Tx,
  entities: EntityResolverService,
  scope: ObservationScope,
  filter?: ObservationFilter,
): Promise<ScopeWithNames | AmbiguousName> {
  const { prefixes, requestedNames } = resolvePropertyNames(scope.property, scope.kind);
  const [names, found] = await Promise.all([
    readPropertyNames(tx, prefixes),
    scope.entity === undefined ? undefined : entities.resolve(tx, scope.entity),
  ]);
  if (typeof found === 'object') return found;
  const filtered = filter?.property?.flatMap(name => resolvePropertyNames(name, scope.kind).prefixes);
  const properties = names.filter(
    name => isOfKind(name, scope.kind) && (filtered === undefined || filtered.includes(name)),
  );
  const anyProperty = [scope.property, scope.kind, filtered].every(each => each === undefined);
  return {
    scope,
    properties,
    anyProperty,
    requestedNames,
    members: found === undefined ? undefined : await readNoteHolderIds(tx, [found]),
  };
}

/** Default and maximum number of rows on a page. */
export const DEFAULT_QUERY_LIMIT = 50;
const MAX_QUERY_LIMIT = 200;

const MAX_QUESTION_LENGTH = 2000;
const FIELDS =
  'scope without filter return question group_by aggregate summarize limit cursor as_of known_at budget_tokens'.split(
    ' ',
  );
const SCOPE_FIELDS = 'kind property source entity_id since_days from to order limit facts'.split(' ');
const OBSERVATION_FIELDS = 'kind property source value text since until'.split(' ');
const MAX_BODY_BYTES = 64 * 1024;

/** Aliases of source names. */
const SOURCE_ALIASES: Readonly<Record<string, string>> = { cal_com: 'calcom' };

/** Validates the body of a REST or tool call. @throws HubError `invalid_request` with the invalid fields. */
export function readQuery(body: unknown, now: Instant): Query {
  const problems: FieldProblem[] = [];
  const input = body === undefined ? {} : body;
  if (!isPlainObject(input))
    throw HubError.invalidRequest([{ field: 'body', message: 'The body must be a JSON object.' }]);
  const issue = findIssue(input as JsonValue, MAX_BODY_BYTES);
  if (issue)
    throw HubError.invalidRequest([
      {
        field: issue.path.replace(/^\./, '') || 'body',
        message: `${issue.path.replace(/^\./, '') || 'The body'} ${issue.message}.`,
      },
    ]);
  const fields = new FieldReader(input, problems);
  fields.rejectOthers(FIELDS);
  const scope = fields.object('scope', SCOPE_FIELDS);
  const without =
    input['without'] === undefined || input['without'] === null ? undefined : fields.object('without', SCOPE_FIELDS);
  const filter = fields.object('filter', ['entity', 'observation']);
  const observation = filter.object('observation', OBSERVATION_FIELDS);
  const asOf = fields.instant('as_of');
  // Both are read, so that problems of either are reported.
  const [limitOfScope, limit] = [readLimit(scope), readLimit(fields)];
  fields.number('budget_tokens', 0, 1_000_000);
  const query: Query = {
    scope: intersectScope(readScope(scope, asOf ?? now), observation),
    without: without && readScope(without, asOf ?? now),
    entityFilter: readEntityFilter(filter, now, problems),
    observationFilter: filter.raw('observation') === undefined ? undefined : readObservationFilter(observation),
    returns: fields.choice('return', ['observations', 'entities'] as const) ?? 'observations',
    facts: scope.flag('facts') ?? false,
    question: fields.text('question', MAX_QUESTION_LENGTH)?.trim() || undefined,
    newestFirst: (scope.choice('order', ['desc', 'asc'] as const) ?? 'desc') === 'desc',
    limit: Math.min(limitOfScope ?? limit ?? DEFAULT_QUERY_LIMIT, MAX_QUERY_LIMIT),
    cursor: fields.text('cursor', 500),
    groupBy: readGroupings(fields),
    aggregate: readAggregates(fields),
    summarize: readSummaryMode(fields),
    asOf,
    knownAt: fields.instant('known_at'),
    hash: hashQuery(input),
  };
  if (problems.length > 0) throw HubError.invalidRequest(problems.slice(0, 50));
  return query;
}

function readScope(scope: FieldReader, now: Instant): ObservationScope {
  const source = scope.text('source', 100);
  const since = scope.number('since_days', 0, 36_500);
  const from = scope.instant('from');
  const to = scope.instant('to');
  const begin = from ?? (since === undefined ? undefined : Math.round(now - since * DAY_US));
  if (begin !== undefined && to !== undefined && begin > to)
    scope.addProblem(
      from === undefined ? 'since_days' : 'from',
      'must not begin later than `to`, or nothing lies between',
    );
  return {
    kind: scope.choice('kind', ['event', 'state'] as const),
    property: scope.text('property', 100),
    source: source === undefined ? undefined : (SOURCE_ALIASES[source] ?? source),
    entity: scope.text('entity_id', 320),
    from: begin,
    to,
  };
}

/** Intersects the scope with kind and time of `filter.observation`; both must hold. */
function intersectScope(scope: ObservationScope, given: FieldReader): ObservationScope {
  const kind = given.choice('kind', ['event', 'state'] as const);
  const [since, until] = [given.instant('since'), given.instant('until')];
  if (kind !== undefined && scope.kind !== undefined && kind !== scope.kind)
    given.addProblem('kind', 'must not be another than that of the scope, or nothing is both');
  const from = latest(scope.from, since);
  const to = earliest(scope.to, until);
  if ((since ?? until) !== undefined && from !== undefined && to !== undefined && from > to)
    given.addProblem(since === undefined ? 'until' : 'since', 'must leave some time between beginning and end');
  return { ...scope, kind: kind ?? scope.kind, from, to };
}

function latest(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function earliest(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function readLimit(fields: FieldReader): number | undefined {
  return fields.whole('limit', 1, Number.MAX_SAFE_INTEGER);
}

function readEntityFilter(filter: FieldReader, now: Instant, problems: FieldProblem[]): Query['entityFilter'] {
  const raw = filter.raw('entity');
  if (raw === undefined) return undefined;
  const read = parseFilter(raw, entityCatalogue, now, 'filter.entity');
  if (read.ok) return read.filter;
  problems.push(...read.problems);
  return undefined;
}

function readObservationFilter(given: FieldReader): ObservationFilter {
  return {
    property: given.texts('property', 50, 100),
    source: given.texts('source', 50, 100),
    value: given.raw('value') as JsonValue | undefined,
    text: given.text('text', 200),
  };
}

function readGroupings(fields: FieldReader): Grouping[] {
  const names = fields.texts('group_by', 3, 20) ?? [];
  return names.flatMap((name, i) => {
    const grouping = GROUPINGS.find(each => each === name);
    if (grouping) return [grouping];
    return fields.addProblem(`group_by[${i}]`, `must be one of ${GROUPINGS.join(', ')}`) ?? [];
  });
}

function readAggregates(fields: FieldReader): Aggregate[] {
  return fields.objects('aggregate', 8, ['op', 'field']).flatMap(each => {
    if (each.raw('op') === undefined) each.addProblem('op', `must be one of ${AGGREGATES.join(', ')}`);
    const op = each.choice('op', AGGREGATES);
    const field = each.text('field', 100);
    return op ? [{ op, field }] : [];
  });
}

function readSummaryMode(fields: FieldReader): Query['summarize'] {
  const given = fields.raw('summarize');
  if (given === undefined || given === false) return false;
  return fields.choice('summarize', SUMMARIES) ?? false;
}

/** Hashes the query that a cursor belongs to: all of it except page size, cursor and summary. */
function hashQuery({
  cursor: _cursor,
  summarize: _summarize,
  limit: _size,
  scope,
  ...rest
}: Readonly<Record<string, JsonValue>>): string {
  const { limit: _limit, ...where } = isPlainObject(scope) ? scope : {};
  return hashList('/v2/query', where, rest);
}
