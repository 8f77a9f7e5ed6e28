import { Injectable } from '@nestjs/common';
import { toCsvLine } from '#domain/csv/csv-cell.js';
import type { Instant } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { type ListExport, MEDIA_TYPES } from '../lists/list-export.js';
import { presentObservation, type PresentedClaim } from './accounts.presenter.js';
import { readTimeline, type TimelineRow } from './timeline.queries.js';
import { ClaimReaderService } from './claim-reader.service.js';

/** Columns of an observation in the export of a timeline. */
export const TIMELINE_COLUMNS = [
  'id',
  'entity_id',
  'person_id',
  'kind',
  'property',
  'value',
  'source',
  'method',
  'observed_at',
  'when',
  'recorded_at',
  'external_id',
] as const;

/** Columns of the claim that a state is about; empty for events. */
export const EPISTEMIC_COLUMNS = ['confidence', 'freshness'] as const;

/** Which part of a timeline to export, and how. */
export interface TimelineExport {
  readonly format: 'csv' | 'ndjson';
  readonly columns: readonly string[];
  /** Valid time. Default: now. */
  readonly asOf: Instant | undefined;
  /** System time. Default: now. */
  readonly knownAt: Instant | undefined;
}

const PAGE_SIZE = 500;
/** Time limit of a page, in milliseconds; the export as a whole may take longer than a request. */
const PAGE_TIMEOUT_MS = 10_000;

/** What all pages of an export have in common. */
interface ExportedTimeline extends TimelineExport {
  readonly entityId: string;
  readonly asOf: Instant;
  readonly knownAt: Instant;
  readonly claims: ReadonlyMap<string, PresentedClaim>;
}

/** Exports timelines as files. */
@Injectable()
export class TimelineExportService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly claims: ClaimReaderService,
  ) {}

  /**
   * Exports all observations about an entity, newest first, page by page, each in a transaction of its own. The first page
   * is read before it resolves, so that errors become a response. What is recorded meanwhile is left out.
   * @param id any precise identifier.
   * @throws HubError `entity_not_found`, `invalid_focus` for a bare name.
   */
  async export(workspace: string, id: string, request: TimelineExport): Promise<ListExport> {
    const { timeline, first } = await this.work.run(workspace, async tx => {
      const { canonicalId: entityId } = await this.entities.resolveOwner(tx, id);
      const now = await tx.now();
      const { asOf = now, knownAt = now } = request;
      const { claims } = await this.claims.read(tx, entityId, request, false);
      const byProperty = new Map(claims.map(claim => [claim.property, claim]));
      const exported: ExportedTimeline = { ...request, entityId, asOf, knownAt, claims: byProperty };
      return { timeline: exported, first: await readTimeline(tx, entityId, toPage(exported)) };
    });
    const { format } = request;
    return { content: this.write(workspace, timeline, first), type: MEDIA_TYPES[format], extension: format };
  }

  private async *write(
    workspace: string,
    timeline: ExportedTimeline,
    first: readonly TimelineRow[],
  ): AsyncGenerator<string> {
    const { format, columns, entityId } = timeline;
    if (format === 'csv') yield toCsvLine(columns);
    for (let rows = first; rows.length > 0;) {
      yield rows.map(row => toLine(row, timeline)).join('');
      const last = rows.at(-1)!;
      if (rows.length < PAGE_SIZE) return;
      rows = await this.work.run(
        workspace,
        tx => readTimeline(tx, entityId, toPage(timeline, { entityId, observedAt: last.observed_at, id: last.id })),
        { budgetMs: PAGE_TIMEOUT_MS },
      );
    }
  }
}

function toPage(
  { asOf, knownAt }: ExportedTimeline,
  after?: Parameters<typeof readTimeline>[2]['after'],
): Parameters<typeof readTimeline>[2] {
  return { limit: PAGE_SIZE, after, asOf, knownAt };
}

function toLine(row: TimelineRow, { format, columns, claims }: ExportedTimeline): string {
  const { confidence = null, freshness = null } = (row.kind === 'state' && claims.get(row.property)) || {};
  const all: Readonly<Record<string, unknown>> = { person_id: null, ...presentObservation(row), confidence, freshness };
  if (format === 'csv') return toCsvLine(columns.map(name => all[name]));
  return `${JSON.stringify(Object.fromEntries(columns.map(name => [name, all[name]])))}\n`;
}
