import {
  type Aggregate,
  AGGREGATES,
  type Grouping,
  GROUPINGS,
  type ObservationFilter,
  type Query,
  type Scope,
  SUMMARIES,
} from '#domain/query/query.js';
import { readFilter } from '#domain/filters/read-filter.js';
import { flawOf, isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import { DAY, type Instant } from '#domain/time/instant.js';
import { HubError, type Problem } from '#kernel/errors/errors.js';
import { listHash } from '../lists/cursor.js';
import { refuseChanging } from '../lists/past.js';
import { Fields } from './fields.js';
import { entityCatalogue } from './entity-source.js';

/** Rows on a page, unless the caller says otherwise, and at most. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

const MAX_QUESTION = 2000;
const FIELDS =
  'scope without filter return question group_by aggregate summarize cursor as_of known_at budget_tokens'.split(' ');
const SCOPE_FIELDS = 'kind property source entity_id since_days from to order limit facts'.split(' ');
const MAX_BODY = 64 * 1024;

/** Other names of sources. */
const SOURCES: Readonly<Record<string, string>> = { cal_com: 'calcom' };

/** Reads a query from whichever door. @throws HubError `invalid_request` naming the field. */
export function readQuery(body: unknown, now: Instant): Query {
  const problems: Problem[] = [];
  const given = body ?? {};
  if (!isPlainObject(given))
    throw HubError.invalidRequest([{ field: 'body', message: 'The body must be a JSON object.' }]);
  const flaw = flawOf(given as Json, MAX_BODY);
  if (flaw)
    throw HubError.invalidRequest([
      { field: flaw.path.replace(/^\./, '') || 'body', message: `${flaw.path} ${flaw.what}.` },
    ]);
  const fields = new Fields(given, problems);
  fields.only(FIELDS);
  const scope = fields.object('scope', SCOPE_FIELDS);
  const without =
    given['without'] === undefined || given['without'] === null ? undefined : fields.object('without', SCOPE_FIELDS);
  const filter = fields.object('filter', ['entity', 'observation']);
  const asOf = fields.instant('as_of');
  fields.number('budget_tokens', 0, 1_000_000);
  const query: Query = {
    scope: scopeOf(scope, asOf ?? now),
    without: without && scopeOf(without, asOf ?? now),
    entityFilter: entityFilterOf(filter, now, problems),
    observationFilter: observationFilterOf(filter),
    returns: fields.choice('return', ['observations', 'entities'] as const) ?? 'observations',
    facts: scope.flag('facts') ?? false,
    question: fields.text('question', MAX_QUESTION)?.trim() || undefined,
    newestFirst: (scope.choice('order', ['desc', 'asc'] as const) ?? 'desc') === 'desc',
    limit: Math.min(scope.whole('limit', 1, Number.MAX_SAFE_INTEGER) ?? DEFAULT_LIMIT, MAX_LIMIT),
    cursor: fields.text('cursor', 500),
    groupBy: groupingsOf(fields),
    aggregate: aggregatesOf(fields),
    summarize: summaryOf(fields),
    asOf,
    knownAt: fields.instant('known_at'),
    hash: hashOf(given),
  };
  if (problems.length > 0) throw HubError.invalidRequest(problems.slice(0, 50));
  const isPast = query.asOf !== undefined || query.knownAt !== undefined;
  if (isPast && query.entityFilter) refuseChanging(query.entityFilter);
  return query;
}

function scopeOf(scope: Fields, now: Instant): Scope {
  const source = scope.text('source', 100);
  const since = scope.number('since_days', 0, 36_500);
  const from = scope.instant('from');
  const to = scope.instant('to');
  const begin = from ?? (since === undefined ? undefined : Math.round(now - since * DAY));
  if (begin !== undefined && to !== undefined && begin > to)
    scope.refuse(from === undefined ? 'since_days' : 'from', 'must not begin later than `to`, or nothing lies between');
  return {
    kind: scope.choice('kind', ['event', 'state'] as const),
    property: scope.text('property', 100),
    source: source === undefined ? undefined : (SOURCES[source] ?? source),
    entity: scope.text('entity_id', 320),
    from: begin,
    to,
  };
}

function entityFilterOf(filter: Fields, now: Instant, problems: Problem[]): Query['entityFilter'] {
  const raw = filter.raw('entity');
  if (raw === undefined) return undefined;
  const read = readFilter(raw, entityCatalogue, now, 'filter.entity');
  if (read.ok) return read.filter;
  problems.push(...read.problems);
  return undefined;
}

function observationFilterOf(filter: Fields): ObservationFilter | undefined {
  if (filter.raw('observation') === undefined) return undefined;
  const given = filter.object('observation', ['property', 'source', 'value', 'text']);
  return {
    property: given.texts('property', 50, 100),
    source: given.texts('source', 50, 100),
    value: given.raw('value') as Json | undefined,
    text: given.text('text', 200),
  };
}

function groupingsOf(fields: Fields): Grouping[] {
  const names = fields.texts('group_by', 3, 20) ?? [];
  return names.flatMap((name, i) => {
    const grouping = GROUPINGS.find(each => each === name);
    if (grouping) return [grouping];
    return fields.refuse(`group_by[${i}]`, `must be one of ${GROUPINGS.join(', ')}`) ?? [];
  });
}

function aggregatesOf(fields: Fields): Aggregate[] {
  return fields.objects('aggregate', 8, ['op', 'field']).flatMap(each => {
    if (each.raw('op') === undefined) each.refuse('op', `must be one of ${AGGREGATES.join(', ')}`);
    const op = each.choice('op', AGGREGATES);
    const field = each.text('field', 100);
    return op ? [{ op, field }] : [];
  });
}

function summaryOf(fields: Fields): Query['summarize'] {
  const given = fields.raw('summarize');
  if (given === undefined || given === false) return false;
  return fields.choice('summarize', SUMMARIES) ?? false;
}

/** A cursor belongs to what was asked, but for the size of the page and what is told beside it. */
function hashOf({ cursor: _cursor, summarize: _summarize, scope, ...asked }: Readonly<Record<string, Json>>): string {
  const { limit: _limit, ...where } = isPlainObject(scope) ? scope : {};
  return listHash('/v2/query', where, asked);
}
