import type { Actor } from '#domain/actor/actor.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';

/** An entry of the audit log. */
export interface AuditRow {
  readonly id: string;
  readonly at: Instant;
  readonly actor_kind: Actor['kind'];
  readonly actor_id: string;
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly address: string | null;
  readonly client: string | null;
  readonly request_id: string | null;
}

/** Conditions on entries; absent ones do not restrict. */
export interface AuditFilter {
  readonly actor?: { readonly kind?: string; readonly id?: string };
  /** An action, or the part before its dot. */
  readonly action?: string;
  readonly object?: { readonly type?: string; readonly id?: string };
  /** Earliest time. */
  readonly since?: Instant;
  /** Time before which an entry must be. */
  readonly until?: Instant;
}

/** Position of an entry in the log. */
export interface AuditPosition {
  readonly at: Instant;
  readonly id: string;
}

/** Reads entries, newest first. @param after position of the last entry of the previous page */
export function readAuditEvents(
  tx: Tx,
  { actor = {}, action, object = {}, since, until }: AuditFilter,
  limit: number,
  after?: AuditPosition,
): Promise<AuditRow[]> {
  const values: unknown[] = [tx.workspace, limit];
  const param = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['workspace_id = $1'];
  if (actor.kind !== undefined) conditions.push(`actor_kind = ${param(actor.kind)}`);
  if (actor.id !== undefined) conditions.push(`actor_id = ${param(actor.id)}`);
  if (action !== undefined) {
    const name = param(action);
    conditions.push(`(action = ${name} OR starts_with(action, ${name} || '.'))`);
  }
  if (object.type !== undefined) conditions.push(`object_type = ${param(object.type)}`);
  if (object.id !== undefined) conditions.push(`object_id = ${param(object.id)}`);
  if (since !== undefined) conditions.push(`at >= ${param(toIso(since))}::timestamptz`);
  if (until !== undefined) conditions.push(`at < ${param(toIso(until))}::timestamptz`);
  if (after) conditions.push(`(at, id) < (${param(toIso(after.at))}::timestamptz, ${param(after.id)}::uuid)`);
  return tx.query<AuditRow>(
    `SELECT id, at, actor_kind, actor_id, action, object_type, object_id, before, after, address, client, request_id
     FROM audit_events WHERE ${conditions.join(' AND ')} ORDER BY at DESC, id DESC LIMIT $2`,
    values,
  );
}
