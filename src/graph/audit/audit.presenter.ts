import { toCsvCell } from '#domain/csv/csv-cell.js';
import type { Actor } from '#domain/actor/actor.js';
import { toIso } from '#domain/time/instant.js';
import type { AuditRow } from './audit.queries.js';

/** An entry of the audit log in a response. */
export interface PresentedAuditEvent {
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  readonly action: string;
  readonly object: { readonly type: string; readonly id: string | null };
  readonly before: unknown;
  readonly after: unknown;
  readonly address: string | null;
  readonly client: string | null;
  readonly request_id: string | null;
}

/** Converts an entry for a response. */
export function presentAuditEvent(row: AuditRow): PresentedAuditEvent {
  const { id, at, actor_kind, actor_id, action, object_type, object_id, ...rest } = row;
  return {
    id,
    at: toIso(at),
    actor: { kind: actor_kind, id: actor_id },
    action,
    object: { type: object_type, id: object_id },
    ...rest,
  };
}

/** Columns of the export. */
const CSV_COLUMNS =
  'id,at,actor_kind,actor_id,action,object_type,object_id,before,after,address,client,request_id'.split(',');

/** The header line of the export. */
export const AUDIT_CSV_HEADER = `${CSV_COLUMNS.join(',')}\r\n`;

/** Converts an entry to a line of CSV (RFC 4180). */
export function toAuditCsvLine({ at, before, after, ...row }: AuditRow): string {
  const texts: Readonly<Record<string, unknown>> = {
    ...row,
    at: toIso(at),
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  };
  return `${CSV_COLUMNS.map(column => toCsvCell(texts[column])).join(',')}\r\n`;
}
