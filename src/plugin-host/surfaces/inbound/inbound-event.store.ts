import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import type { Instant } from '#domain/time/instant.js';
import type { InboundDelivery } from '#sdk/deliveries.js';
import type { Json } from '#sdk/schema.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/periodic-task.js';
import type { Connection } from '../../connections/connection.js';
import { enqueueJobs } from '../../jobs/job.emitter.js';
import { type WebhookRequest, parseJsonBody } from './webhook-request.js';
import { PayloadLoaders, type PluginJobRecord } from '../../jobs/plugin-job.js';

/** Headers that are not stored, because they may hold credentials. */
const DROPPED_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/** A delivery that was verified. */
export interface VerifiedDelivery {
  /** Name of the webhook in the manifest of the plugin. */
  readonly name: string;
  readonly eventId: string;
  /** Whether the signature covers no time, so that anybody who saw the request can repeat it later. */
  readonly isTimeless: boolean;
  readonly request: WebhookRequest;
}

/**
 * Stores received webhooks unchanged for 30 days, and detects repeats within that time by their event ID. If signatures
 * cover no time, repeats are detected as long as the connection exists.
 */
@Injectable()
export class InboundEventStore {
  /**
   * Saves a delivery and the job that passes it to its plugin, in the given transaction.
   * @returns the ID of the delivery, or undefined for a repeat
   */
  async save(tx: Tx, { id, plugin }: Connection, { name, eventId, isTimeless, request }: VerifiedDelivery) {
    if (isTimeless && !(await isNewEvent(tx, id, name, eventId))) return undefined;
    const headers = Object.entries(request.headers).filter(([header]) => !DROPPED_HEADERS.has(header));
    const inserted = await tx.query<{ id: string }>(
      `INSERT INTO inbound_events (workspace_id, id, connection_id, plugin, name, event_id, headers, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (workspace_id, connection_id, name, event_id) DO NOTHING RETURNING id`,
      [tx.workspace, newId(), id, plugin, name, eventId, Object.fromEntries(headers), request.rawBody],
    );
    const inboundId = inserted[0]?.id;
    if (inboundId === undefined) return undefined;
    const payload = { inbound_id: inboundId };
    enqueueJobs(tx, [{ plugin, kind: 'inbound', name, payload, connectionId: id, id: inboundId }]);
    tx.deferToCommit(
      `UPDATE connections SET last_event_at = now() WHERE workspace_id = $1 AND id = $2
         AND (last_event_at IS NULL OR last_event_at < now() - interval '5 seconds')`,
      [tx.workspace, id],
    );
    return inboundId;
  }

  /** Reads a delivery in the form that plugin handlers receive; returns undefined if it has been deleted. */
  async read(tx: Tx, id: string): Promise<InboundDelivery | undefined> {
    const [row] = await tx.query<InboundEventRow>(
      'SELECT event_id, headers, body, received_at FROM inbound_events WHERE workspace_id = $1 AND id = $2',
      [tx.workspace, id],
    );
    return (
      row && {
        id: row.event_id,
        raw: row.body,
        headers: row.headers,
        json: parseJsonBody(row.body) as Json | undefined,
        receivedAt: new Date(row.received_at / 1000),
      }
    );
  }
}

/** Records the ID of an event for as long as its connection exists; returns false if it was recorded before. */
async function isNewEvent(tx: Tx, connectionId: string, name: string, eventId: string): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO inbound_event_ids (workspace_id, connection_id, name, event_hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING name`,
    [tx.workspace, connectionId, name, createHash('sha256').update(eventId).digest()],
  );
  return rows.length > 0;
}

interface InboundEventRow {
  readonly event_id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly received_at: Instant;
}

/** Loads the stored webhook of a job for its handler. */
@Injectable()
export class InboundPayloadLoader implements OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly events: InboundEventStore,
    private readonly loaders: PayloadLoaders,
  ) {}

  onModuleInit(): void {
    this.loaders.register('inbound', job => this.load(job));
  }

  private load({ workspaceId, payload }: PluginJobRecord): Promise<unknown> {
    const { inbound_id: id } = payload as { readonly inbound_id: string };
    return this.work.run(workspaceId, tx => this.events.read(tx, id));
  }
}

const DELETE_EXPIRED = `
  DELETE FROM inbound_events WHERE (workspace_id, id) IN (
    SELECT workspace_id, id FROM inbound_events
    WHERE received_at < now() - interval '30 days' ORDER BY received_at LIMIT $1)
  RETURNING id`;

/** Deletes webhooks that were received more than 30 days ago. */
@Injectable()
export class InboundSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'inbound', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
