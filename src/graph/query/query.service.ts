import { Injectable } from '@nestjs/common';
import { type Filter, listFilterProperties } from '#domain/filters/filter.js';
import { type RankedRow, rankRows } from '#domain/query/rank-rows.js';
import type { Query, ObservationScope } from '#domain/query/query.js';
import type { SummaryInput } from '#domain/query/summarize.js';
import { expandTokens } from '#domain/text/thesaurus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { RulesCache } from '../claims/rules.cache.js';
import { readsMutableFields } from '../lists/as-of.js';
import { encodeListCursor, decodeListCursor, unknownProperty } from '../lists/list-parameters.js';
import { StatementCache } from '../lists/sql-params.js';
import { HistoricalPeopleService } from '../people/historical-people.service.js';
import {
  type QueryEntityRow,
  type LogRow,
  readQueryEntities,
  readLogRows,
  readGroups,
  readRollups,
} from './query.queries.js';
import { resolveScope, type ScopeWithNames } from './query-request.js';
import {
  buildMeta,
  type QueryResponse,
  type QueryItem,
  presentEntityItem,
  presentFactItem,
  presentObservationItem,
  presentScope,
  toSearchText,
} from './query.presenter.js';
import { type QueryPageKey, type Corpus, entityCatalogue, entitySource, type ResolvedScope } from './corpus-sql.js';
import { SummaryService } from './summary.service.js';

/** A page of items, and the key of the next page. */
interface ItemPage {
  readonly items: readonly QueryItem[];
  readonly next: QueryPageKey | undefined;
}

type NamedCorpus = Corpus & Pick<ScopeWithNames, 'requestedNames'>;

/** Maximum number of observations that are ranked for a question or reduced to facts. */
const MAX_RANKED_ROWS = 1000;

const HOW_TO_NARROW =
  'Narrow filter.entity by account, email, linkedin_url, id, type or created_at, or the scope by entity_id.';

/** Queries and summarizes observations across entities. Writes nothing. */
@Injectable()
export class QueryService {
  private readonly statements = new StatementCache();

  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly summaries: SummaryService,
    private readonly rules: RulesCache,
    private readonly history: HistoricalPeopleService,
  ) {}

  /**
   * Runs a query. Returns the candidates if a name in its scope matches several entities. Calls the language model after
   * the transaction.
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`, `invalid_request` for a filter on a property
   *   that was never stated, or on the past claims of too many entities.
   */
  async run(workspace: string, query: Query): Promise<QueryResponse | AmbiguousName> {
    const read = await this.work.run(workspace, tx => this.readInTransaction(tx, query));
    if ('status' in read) return read;
    const { response, summaryInput } = read;
    if (!summaryInput || query.summarize === false) return response;
    return { ...response, summary: await this.summaries.summarize(summaryInput, query.summarize) };
  }

  private async readInTransaction(
    tx: Tx,
    query: Query,
  ): Promise<AmbiguousName | { response: QueryResponse; summaryInput?: SummaryInput }> {
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, query.hash);
    const now = await tx.now();
    const [scope, without] = await Promise.all([
      resolveScope(tx, this.entities, query.scope, query.observationFilter),
      query.without && resolveScope(tx, this.entities, query.without),
      query.entityFilter && rejectUnknownProperties(tx, query.entityFilter),
    ]);
    if ('status' in scope) return scope;
    if (without && 'status' in without) return without;
    const { requestedNames } = scope;
    const rules = this.rules.get(tx.workspace).rules;
    const rest = without && isUnrestricted(without.scope) ? { ...scope, properties: [] } : scope;
    const [asOf, knownAt] = [query.asOf ?? now, query.knownAt ?? now];
    const pastMatches = await this.readPastMatches(tx, query, scope);
    const statements = this.statements;
    const corpus = { query, scope: rest, without, pastMatches, requestedNames, rules, asOf, knownAt, statements };
    const [{ items, next }, rollups, groups, summaryInput] = await Promise.all([
      this.page(tx, corpus, after),
      readRollups(tx, corpus, requestedNames),
      query.groupBy.length + query.aggregate.length > 0 ? readGroups(tx, corpus, requestedNames) : undefined,
      query.summarize === false ? undefined : this.summaries.gather(tx, corpus),
    ]);
    const { observations, entities, sampled: counted, ...counts } = rollups;
    const isRanked = query.returns === 'observations' && (query.facts || query.question !== undefined);
    const lookedAt = isRanked ? Math.min(observations, MAX_RANKED_ROWS) : undefined;
    const sampled = counted || (lookedAt !== undefined && observations > lookedAt);
    const response: QueryResponse = {
      scope: presentScope(query.scope),
      ...(query.without && { without: presentScope(query.without) }),
      mode: query.question === undefined ? 'structured' : 'lexical',
      return: query.returns,
      ...(query.facts && { corpus: 'facts' as const }),
      matched: query.returns === 'entities' ? entities : observations,
      returned: items.length,
      sampled,
      items,
      rollups: counts,
      ...(groups && { groups }),
      totals: { observations, entities },
      ...(query.question !== undefined && { question: query.question }),
      limit: query.limit,
      has_more: next !== undefined,
      next_cursor: next ? encodeListCursor({ values: [next.at], id: next.id }, query.hash) : null,
      meta: buildMeta(items, corpus, lookedAt),
    };
    return { response, ...(summaryInput && { summaryInput }) };
  }

  /** Returns the entities that match the entity filter at a past time; undefined if today's claims decide. */
  private async readPastMatches(
    tx: Tx,
    { entityFilter, asOf, knownAt }: Query,
    { members }: ResolvedScope,
  ): Promise<string[] | undefined> {
    const isPast = asOf !== undefined || knownAt !== undefined;
    if (!entityFilter || !isPast || !readsMutableFields(entityFilter, [])) return undefined;
    const source = { ...entitySource, rules: this.rules.get(tx.workspace).rules };
    const filter = members ? restrictTo(members, entityFilter) : entityFilter;
    return this.history.readMatching(tx, source, filter, { asOf, knownAt }, HOW_TO_NARROW);
  }

  private async page(tx: Tx, corpus: NamedCorpus, after: QueryPageKey | undefined): Promise<ItemPage> {
    const { query, requestedNames } = corpus;
    if (query.returns === 'entities') {
      const rows = await readQueryEntities(tx, corpus, query.limit + 1, after);
      return toPage(
        rows,
        query.limit,
        row => presentEntityItem(row, requestedNames),
        row => row.entity_id,
      );
    }
    const { question, limit } = query;
    if (query.facts) {
      const facts = selectFacts(await readLogRows(tx, corpus, MAX_RANKED_ROWS));
      const chosen =
        question === undefined
          ? facts.map(row => ({ row, similarity: undefined }))
          : await rankLogRows(question, facts);
      return {
        items: chosen.slice(0, limit).map(each => presentFactItem(each.row, requestedNames, each.similarity)),
        next: undefined,
      };
    }
    if (question !== undefined) {
      const found = await rankLogRows(question, await readLogRows(tx, corpus, MAX_RANKED_ROWS));
      return {
        items: found
          .slice(0, limit)
          .map(({ row, similarity }) => presentObservationItem(row, requestedNames, similarity)),
        next: undefined,
      };
    }
    const rows = await readLogRows(tx, corpus, query.limit + 1, after);
    return toPage(
      rows,
      query.limit,
      row => presentObservationItem(row, requestedNames),
      row => row.id,
    );
  }
}

function restrictTo(ids: readonly string[], filter: Filter): Filter {
  const restriction: Filter = { field: entityCatalogue.columns.get('id')!, test: { op: 'in', values: ids } };
  return { all: [...('all' in filter ? filter.all : [filter]), restriction] };
}

/** Returns whether a scope has no restriction. Excluding such a scope leaves nothing to read. */
function isUnrestricted(scope: ObservationScope): boolean {
  return Object.values(scope).every(value => value === undefined);
}

/** Returns the newest state of each entity and property, except ended ones. */
function selectFacts(rows: readonly LogRow[]): LogRow[] {
  const newest = new Map<string, LogRow>();
  for (const row of rows) {
    const key = `${row.entity_id} ${row.property}`;
    if (row.kind === 'state' && !newest.has(key)) newest.set(key, row);
  }
  return [...newest.values()].filter(({ value }) => value !== null);
}

/** Returns the rows that are similar to a question, most similar first. */
async function rankLogRows(question: string, rows: readonly LogRow[]): Promise<RankedRow<LogRow>[]> {
  const tokenized = await mapYielding(rows, row => ({ row, tokens: expandTokens(toSearchText(row)) }));
  return rankRows(question, tokenized).map(({ row: { row }, similarity }) => ({ row, similarity }));
}

function toPage<Row extends LogRow | QueryEntityRow>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => QueryItem,
  idOf: (row: Row) => string,
): ItemPage {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { items: page.map(present), next: last && { at: last.happens_at, id: idOf(last) } };
}

/** Rejects properties that were never stated as typing errors, as lists do. @throws HubError `invalid_request`. */
async function rejectUnknownProperties(tx: Tx, filter: Filter): Promise<void> {
  const unknown = await unknownProperty(tx, listFilterProperties(filter));
  if (unknown === undefined) return;
  const message = `There is no field "${unknown}", and no such property is stated in this workspace.`;
  throw HubError.invalidRequest([{ field: `filter.entity.${unknown}`, message }]);
}

function decodeCursor(cursor: string, hash: string): QueryPageKey {
  const { values, id } = decodeListCursor(cursor, hash, ['timestamptz']);
  return { at: Number(values[0]), id };
}
