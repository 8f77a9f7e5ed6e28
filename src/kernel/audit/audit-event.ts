import type { Actor } from '#domain/actor/actor.js';

/**
 * Every act of the hub that is recorded. The part before the dot is the type of the object. Acts of plugins begin with
 * the ID of the plugin, such as `triggers.create`.
 */
export const AUDIT_ACTIONS = [
  'api_key.create',
  'api_key.revoke',
  'entity.merge',
  'entity.unmerge',
  'integration.connect',
  'integration.change',
  'integration.disconnect',
  'lead_list.create',
  'lead_list.delete',
  'member.invite',
  'member.change',
  'member.remove',
  'person.allow_reimport',
  'person.erase',
  'person.export',
  'retention.apply',
  'retention.change',
  'scoring_model.change',
  'section.change',
  'session.create',
  'session.end',
  'sign_in.approve',
  'trust.change',
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
