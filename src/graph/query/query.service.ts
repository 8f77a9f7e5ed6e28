import { Injectable } from '@nestjs/common';
import type { Filter } from '#domain/filters/filter.js';
import { propertiesIn } from '#domain/filters/sort.js';
import { rankRows } from '#domain/query/rank-rows.js';
import type { Query, Scope } from '#domain/query/query.js';
import type { SummaryMaterial } from '#domain/query/summarize.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { type Ambiguous, FinderService } from '../identity/finder.service.js';
import { rulesOf } from '../claims/workspace-rules.js';
import { cursorOf, placeOf } from '../lists/cursor.js';
import { unstatedProperty } from '../lists/known-properties.js';
import { type EntityRow, type LogRow, readEntities, readObservations } from './query.queries.js';
import { resolveScope, type Resolved } from './resolve.js';
import { readGroups, readRollups } from './rollups.queries.js';
import {
  metaOf,
  type QueryAnswer,
  type QueryItem,
  showEntityRow,
  showFact,
  showRow,
  showScope,
  wordsOf,
} from './shown-query.js';
import type { QueryPlace, Stream } from './stream-sql.js';
import { SummaryService } from './summary.service.js';

/** A page of items, and where the next one begins. */
interface Page {
  readonly items: readonly QueryItem[];
  readonly next: QueryPlace | undefined;
}

type StreamRead = Stream & { readonly asked: Resolved['asked'] };

/** Newest observations that a question is asked of. */
const ASKED = 1000;

/** Retrieves and sums up observations across entities. Nothing is written. */
@Injectable()
export class QueryService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: FinderService,
    private readonly summaries: SummaryService,
  ) {}

  /**
   * The answer to a query; for a shared name in its scope, the candidates. A model is asked after the transaction.
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`, `invalid_request` for a filter on a property
   *   that nobody ever stated.
   */
  async run(workspace: string, query: Query): Promise<QueryAnswer | Ambiguous> {
    const read = await this.work.run(workspace, tx => this.read(tx, query));
    if ('status' in read) return read;
    const { answer, material } = read;
    if (!material || query.summarize === false) return answer;
    return { ...answer, summary: await this.summaries.tell(material, query.summarize) };
  }

  private async read(tx: Tx, query: Query): Promise<Ambiguous | { answer: QueryAnswer; material?: SummaryMaterial }> {
    const after = query.cursor === undefined ? undefined : placeIn(query.cursor, query.hash);
    const now = await tx.now();
    const [scope, without] = await Promise.all([
      resolveScope(tx, this.finder, query.scope, query.observationFilter),
      query.without && resolveScope(tx, this.finder, query.without),
      query.entityFilter && refuseUnstated(tx, query.entityFilter),
    ]);
    if ('status' in scope) return scope;
    if (without && 'status' in without) return without;
    const { asked } = scope;
    const rules = rulesOf(tx.workspace);
    const rest = without && isEverything(without.scope) ? { ...scope, properties: [] } : scope;
    const [asOf, knownAt] = [query.asOf ?? now, query.knownAt ?? now];
    const stream = { query, scope: rest, without, asked, rules, asOf, knownAt };
    const [{ items, next }, rollups, groups, material] = await Promise.all([
      this.page(tx, stream, after),
      readRollups(tx, stream, asked),
      query.groupBy.length + query.aggregate.length > 0 ? readGroups(tx, stream, asked) : undefined,
      query.summarize === false ? undefined : this.summaries.gather(tx, stream),
    ]);
    const { observations, entities, sampled: counted, ...counts } = rollups;
    const isAsked = query.returns === 'observations' && (query.facts || query.question !== undefined);
    const lookedAt = isAsked ? Math.min(observations, ASKED) : undefined;
    const sampled = counted || (lookedAt !== undefined && observations > lookedAt);
    const answer: QueryAnswer = {
      scope: showScope(query.scope),
      ...(query.without && { without: showScope(query.without) }),
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
      next_cursor: next ? cursorOf({ values: [next.at], id: next.id }, query.hash) : null,
      meta: metaOf(items, stream, lookedAt),
    };
    return { answer, ...(material && { material }) };
  }

  private async page(tx: Tx, stream: StreamRead, after: QueryPlace | undefined): Promise<Page> {
    const { query, asked } = stream;
    if (query.returns === 'entities') {
      const rows = await readEntities(tx, stream, query.limit + 1, after);
      return pageOf(
        rows,
        query.limit,
        row => showEntityRow(row, asked),
        row => row.entity_id,
      );
    }
    if (query.facts)
      return { items: factsIn(query, await readObservations(tx, stream, ASKED), asked), next: undefined };
    if (query.question !== undefined) {
      const found = rankRows(query.question, await readObservations(tx, stream, ASKED), wordsOf).slice(0, query.limit);
      return { items: found.map(({ row, similarity }) => showRow(row, asked, similarity)), next: undefined };
    }
    const rows = await readObservations(tx, stream, query.limit + 1, after);
    return pageOf(
      rows,
      query.limit,
      row => showRow(row, asked),
      row => row.id,
    );
  }
}

/** Whether a scope is every observation that there is: without those nothing is left, and nothing has to be looked at. */
function isEverything(scope: Scope): boolean {
  return Object.values(scope).every(value => value === undefined);
}

/** What is claimed: the newest statement of each entity about each property, if it has not ended. */
function factsIn({ question, limit }: Query, rows: readonly LogRow[], asked: Resolved['asked']): QueryItem[] {
  const newest = new Map<string, LogRow>();
  for (const row of rows) {
    const key = `${row.entity_id} ${row.property}`;
    if (row.kind === 'state' && !newest.has(key)) newest.set(key, row);
  }
  const claimed = [...newest.values()].filter(({ value }) => value !== null);
  if (question === undefined) return claimed.slice(0, limit).map(row => showFact(row, asked));
  return rankRows(question, claimed, wordsOf)
    .slice(0, limit)
    .map(({ row, similarity }) => showFact(row, asked, similarity));
}

function pageOf<Row extends LogRow | EntityRow>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => QueryItem,
  idOf: (row: Row) => string,
): Page {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(show), next: last && { at: last.happens_at, id: idOf(last) } };
}

/** A name that nobody ever stated is a slip of the pen, as in lists. @throws HubError `invalid_request`. */
async function refuseUnstated(tx: Tx, filter: Filter): Promise<void> {
  const unstated = await unstatedProperty(tx, propertiesIn(filter));
  if (unstated === undefined) return;
  const message = `There is no field "${unstated}", and no such property is stated in this workspace.`;
  throw HubError.invalidRequest([{ field: `filter.entity.${unstated}`, message }]);
}

function placeIn(cursor: string, hash: string): QueryPlace {
  const { values, id } = placeOf(cursor, hash, ['timestamptz']);
  return { at: Number(values[0]), id };
}
