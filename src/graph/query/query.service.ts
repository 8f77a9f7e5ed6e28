import { Injectable } from '@nestjs/common';
import type { Filter } from '#domain/filters/filter.js';
import { listFilterProperties } from '#domain/filters/sort.js';
import { rankRows } from '#domain/query/rank-rows.js';
import type { Query, ObservationScope } from '#domain/query/query.js';
import type { SummaryInput } from '#domain/query/summarize.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { rulesOf } from '../claims/workspace-rules.js';
import { encodeListCursor, decodeListCursor } from '../lists/list-cursor.js';
import { unknownProperty } from '../lists/known-properties.js';
import { type QueryEntityRow, type LogRow, readQueryEntities, readLogRows } from './query.queries.js';
import { resolveScope, type ScopeWithNames } from './resolve-scope.js';
import { readGroups, readRollups } from './rollups.queries.js';
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
import type { QueryPageKey, Corpus } from './corpus-sql.js';
import { SummaryService } from './summary.service.js';

/** A page of items, and where the next one begins. */
interface ItemPage {
  readonly items: readonly QueryItem[];
  readonly next: QueryPageKey | undefined;
}

type NamedCorpus = Corpus & { readonly asked: ScopeWithNames['asked'] };

/** Newest observations that a question is asked of. */
const MAX_RANKED_ROWS = 1000;

/** Retrieves and sums up observations across entities. Nothing is written. */
@Injectable()
export class QueryService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly summaries: SummaryService,
  ) {}

  /**
   * The answer to a query; for a shared name in its scope, the candidates. A model is asked after the transaction.
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`, `invalid_request` for a filter on a property
   *   that nobody ever stated.
   */
  async run(workspace: string, query: Query): Promise<QueryResponse | AmbiguousName> {
    const read = await this.work.run(workspace, tx => this.readInTransaction(tx, query));
    if ('status' in read) return read;
    const { answer, material } = read;
    if (!material || query.summarize === false) return answer;
    return { ...answer, summary: await this.summaries.summarize(material, query.summarize) };
  }

  private async readInTransaction(
    tx: Tx,
    query: Query,
  ): Promise<AmbiguousName | { answer: QueryResponse; material?: SummaryInput }> {
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, query.hash);
    const now = await tx.now();
    const [scope, without] = await Promise.all([
      resolveScope(tx, this.entities, query.scope, query.observationFilter),
      query.without && resolveScope(tx, this.entities, query.without),
      query.entityFilter && rejectUnknownProperties(tx, query.entityFilter),
    ]);
    if ('status' in scope) return scope;
    if (without && 'status' in without) return without;
    const { asked } = scope;
    const rules = rulesOf(tx.workspace);
    const rest = without && isUnrestricted(without.scope) ? { ...scope, properties: [] } : scope;
    const [asOf, knownAt] = [query.asOf ?? now, query.knownAt ?? now];
    const stream = { query, scope: rest, without, asked, rules, asOf, knownAt };
    const [{ items, next }, rollups, groups, summaryMaterial] = await Promise.all([
      this.page(tx, stream, after),
      readRollups(tx, stream, asked),
      query.groupBy.length + query.aggregate.length > 0 ? readGroups(tx, stream, asked) : undefined,
      query.summarize === false ? undefined : this.summaries.gather(tx, stream),
    ]);
    const { observations, entities, sampled: counted, ...counts } = rollups;
    const isAsked = query.returns === 'observations' && (query.facts || query.question !== undefined);
    const lookedAt = isAsked ? Math.min(observations, MAX_RANKED_ROWS) : undefined;
    const sampled = counted || (lookedAt !== undefined && observations > lookedAt);
    const answer: QueryResponse = {
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
      meta: buildMeta(items, stream, lookedAt),
    };
    return { answer, ...(summaryMaterial && { material: summaryMaterial }) };
  }

  private async page(tx: Tx, stream: NamedCorpus, after: QueryPageKey | undefined): Promise<ItemPage> {
    const { query, asked } = stream;
    if (query.returns === 'entities') {
      const rows = await readQueryEntities(tx, stream, query.limit + 1, after);
      return toPage(
        rows,
        query.limit,
        row => presentEntityItem(row, asked),
        row => row.entity_id,
      );
    }
    if (query.facts)
      return { items: toFacts(query, await readLogRows(tx, stream, MAX_RANKED_ROWS), asked), next: undefined };
    if (query.question !== undefined) {
      const found = rankRows(query.question, await readLogRows(tx, stream, MAX_RANKED_ROWS), toSearchText).slice(
        0,
        query.limit,
      );
      return {
        items: found.map(({ row, similarity }) => presentObservationItem(row, asked, similarity)),
        next: undefined,
      };
    }
    const rows = await readLogRows(tx, stream, query.limit + 1, after);
    return toPage(
      rows,
      query.limit,
      row => presentObservationItem(row, asked),
      row => row.id,
    );
  }
}

/** Whether a scope is every observation that there is: without those nothing is left, and nothing has to be looked at. */
function isUnrestricted(scope: ObservationScope): boolean {
  return Object.values(scope).every(value => value === undefined);
}

/** What is claimed: the newest statement of each entity about each property, if it has not ended. */
function toFacts({ question, limit }: Query, rows: readonly LogRow[], asked: ScopeWithNames['asked']): QueryItem[] {
  const newest = new Map<string, LogRow>();
  for (const row of rows) {
    const key = `${row.entity_id} ${row.property}`;
    if (row.kind === 'state' && !newest.has(key)) newest.set(key, row);
  }
  const claimed = [...newest.values()].filter(({ value }) => value !== null);
  if (question === undefined) return claimed.slice(0, limit).map(row => presentFactItem(row, asked));
  return rankRows(question, claimed, toSearchText)
    .slice(0, limit)
    .map(({ row, similarity }) => presentFactItem(row, asked, similarity));
}

function toPage<Row extends LogRow | QueryEntityRow>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => QueryItem,
  idOf: (row: Row) => string,
): ItemPage {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(show), next: last && { at: last.happens_at, id: idOf(last) } };
}

/** A name that nobody ever stated is a slip of the pen, as in lists. @throws HubError `invalid_request`. */
async function rejectUnknownProperties(tx: Tx, filter: Filter): Promise<void> {
  const unstated = await unknownProperty(tx, listFilterProperties(filter));
  if (unstated === undefined) return;
  const message = `There is no field "${unstated}", and no such property is stated in this workspace.`;
  throw HubError.invalidRequest([{ field: `filter.entity.${unstated}`, message }]);
}

function decodeCursor(cursor: string, hash: string): QueryPageKey {
  const { values, id } = decodeListCursor(cursor, hash, ['timestamptz']);
  return { at: Number(values[0]), id };
}
