import { createHash } from 'node:crypto';
import { type Actor, OPERATOR } from '#domain/actor/actor.js';
import { newId } from '#kernel/ids.js';
import { readClientLabel } from '#kernel/auth/caller.guard.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Transaction, Tx } from '#kernel/db/transaction.js';
import { requestActor, requestId, requestPeer } from '#kernel/request-context.js';

/**
 * Every act of the hub that is recorded. The part before the dot is the type of the object. Acts of plugins begin with
 * the ID of the plugin, such as `triggers.create`.
 */
export const AUDIT_ACTIONS = [
  'api_key.create',
  'api_key.revoke',
  'api_key.rotate',
  'entity.merge',
  'entity.unmerge',
  'integration.connect',
  'integration.change',
  'integration.disconnect',
  'lead_list.create',
  'lead_list.delete',
  'member.invite',
  'member.join',
  'member.uninvite',
  'member.change',
  'member.remove',
  'member.reset_password',
  'member.enable_second_factor',
  'member.disable_second_factor',
  'member.add_passkey',
  'member.remove_passkey',
  'member.connect_single_sign_on',
  'member.disconnect_single_sign_on',
  'observation.retract',
  'person.allow_reimport',
  'person.erase',
  'person.export',
  'retention.apply',
  'retention.change',
  'run.cancel',
  'run.pause',
  'run.resume',
  'run.retry',
  'scoring_model.change',
  'section.change',
  'session.create',
  'session.end',
  'sign_in.approve',
  'sign_in.deny',
  'trust.change',
  'view.change',
  'view.create',
  'view.delete',
  'workspace.create',
  'workspace.delete',
  'workspace.export',
  'workspace.import',
  'workspace.set_plan',
] as const;

/** One of {@link AUDIT_ACTIONS}. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An act to record. */
export interface Act {
  /** An action of the hub, or one of a plugin. */
  readonly action: AuditAction | `${string}.${string}`;
  /** ID of the object, never a name or address; null if the act concerns the workspace as a whole. */
  readonly objectId: string | null;
  /** Setting before the act; JSON without secrets and personal data. */
  readonly before?: unknown;
  /** Setting after the act; JSON without secrets and personal data. */
  readonly after?: unknown;
  /** Who performs it. Default: the caller of the current request; outside a request, the operator. */
  readonly actor?: Actor;
}

/** Largest JSON of a setting that is stored as it is, in bytes. Of a larger one the hash and the size are stored. */
export const MAX_SETTING_BYTES = 16_384;

/** The hub itself. Background jobs name it; without a request and a name, an administration command acts. */
export const HUB_ACTOR: Actor = { kind: 'operator', id: 'hub' };

const INSERT_ACT = prepare(
  `INSERT INTO audit_events (workspace_id, id, actor_kind, actor_id, action, object_type, object_id,
                             before, after, address, client, request_id)
   SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text, $8::jsonb, $9::jsonb, $10::text,
          $11::text, $12::text`,
);

/**
 * Appends an act to the audit log of the workspace, in the transaction of the act itself: both are committed, or
 * neither. It is sent with COMMIT, so it costs no round trip.
 */
export function recordAct(tx: Tx, act: Act): void {
  recordActOf(tx, tx.workspace, act);
}

/** Appends an act like {@link recordAct}, in a transaction that is not bound to a workspace. */
export function recordActOf(
  tx: Transaction,
  workspaceId: string,
  { action, objectId, before, after, actor }: Act,
): void {
  const { kind, id } = actor ?? requestActor() ?? OPERATOR;
  const peer = requestPeer();
  const client = peer ? readClientLabel(peer.headers) : kind === 'operator' ? id : null;
  tx.deferToCommit(INSERT_ACT, [
    workspaceId,
    newId(),
    kind,
    id,
    action,
    action.slice(0, action.indexOf('.')),
    objectId,
    toSetting(before),
    toSetting(after),
    peer?.ip ?? null,
    client,
    requestId() ?? null,
  ]);
}

/** Returns the JSON of a setting; null if there is none. */
function toSetting(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_SETTING_BYTES) return text;
  return JSON.stringify({ omitted: true, bytes, sha256: createHash('sha256').update(text).digest('hex') });
}
