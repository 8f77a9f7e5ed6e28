import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { encodeListCursor } from '../lists/list-parameters.js';
import type { AuditRequest } from './audit-request.js';
import { AUDIT_CSV_HEADER, type PresentedAuditEvent, presentAuditEvent, toAuditCsvLine } from './audit.presenter.js';
import { type AuditPosition, type AuditRow, readAuditEvents } from './audit.queries.js';

const CSV_PAGE_SIZE = 500;
/** Time limit of a page of the export, in milliseconds; the export as a whole may take longer than a request. */
const CSV_PAGE_TIMEOUT_MS = 10_000;

/** A page of the audit log. */
export interface AuditResponse {
  readonly events: readonly PresentedAuditEvent[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Reads the audit log of a workspace. */
@Injectable()
export class AuditService {
  constructor(private readonly work: UnitOfWork) {}

  /** Returns a page, newest first. */
  async list(workspace: string, { filter, limit, after, hash }: AuditRequest): Promise<AuditResponse> {
    const rows = await this.work.run(workspace, tx => readAuditEvents(tx, filter, limit + 1, after));
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = rows.length > limit;
    const next_cursor = hasMore && last ? encodeListCursor({ values: [last.at], id: last.id }, hash) : null;
    return { events: shown.map(presentAuditEvent), limit, has_more: hasMore, next_cursor };
  }

  /**
   * Yields the matching entries as CSV, one page at a time, newest first. The first page is read before it resolves, so
   * that errors become a response.
   */
  async export(workspace: string, { filter, after }: AuditRequest): Promise<AsyncGenerator<string>> {
    const readPage = (position: AuditPosition | undefined): Promise<AuditRow[]> =>
      this.work.run(workspace, tx => readAuditEvents(tx, filter, CSV_PAGE_SIZE, position), {
        budgetMs: CSV_PAGE_TIMEOUT_MS,
      });
    return toCsv(await readPage(after), readPage);
  }
}

async function* toCsv(
  first: AuditRow[],
  readPage: (after: AuditPosition) => Promise<AuditRow[]>,
): AsyncGenerator<string> {
  yield AUDIT_CSV_HEADER;
  for (let page = first; page.length > 0; page = await readPage(page.at(-1)!)) {
    yield page.map(toAuditCsvLine).join('');
    if (page.length < CSV_PAGE_SIZE) return;
  }
}
