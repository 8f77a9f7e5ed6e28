import type { Claim } from '#domain/claims/claim.js';
import type { KeyActivity } from '#domain/context/key-activity.js';
import type { Committee, Stakeholder } from '#domain/context/committee.js';
import type { EntityType } from '#domain/identity/focus.js';
import { isRoleMailbox } from '#domain/identity/mailboxes.js';
import { stripEventPrefix } from '#domain/observation/direction.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { toIso, toIsoOrNull } from '#domain/time/instant.js';
import type { NotePreview, PresentedNote } from '../notes/notes.presenter.js';
import type { ActivitySummary } from './activity.queries.js';
import type { FactSentence } from './account-facts.js';
import type { AccountEntityRow, IdentifierRow, TimelineRow } from './accounts.queries.js';
import type { CompanyPerson } from './company-people.queries.js';
import type { AccountIcp } from './icp.presenter.js';

/** A claim with the ID of its entity. */
export type PresentedClaim = Claim & { readonly entity_id: string };

/** An identifier of an entity. */
export interface PresentedIdentifier {
  readonly kind: IdentifierRow['kind'];
  readonly value: string;
  readonly key: string;
  readonly first_seen: string;
  /** Set for role mailboxes such as info@ or sales@, which several people read. */
  readonly shared_mailbox?: true;
  /** Whether another entity owns this identifier or has it stated too. */
  readonly disputed: boolean;
}

/** An observation in a timeline. */
export interface PresentedObservation {
  readonly id: string;
  readonly entity_id: string;
  readonly kind: ObservationKind;
  readonly property: string;
  /** The property without the namespace of events. */
  readonly type: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly method: string;
  readonly observed_at: string;
  readonly recorded_at: string;
  /** When the event takes place: the start of a meeting, otherwise `observed_at`. */
  readonly when: string;
  readonly external_id: string | null;
  /** In the timeline of a company: the person whose event it is. */
  readonly person_id?: string;
}

/** The entity of an account, without its claims. */
export interface PresentedEntity {
  readonly id: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly company: { readonly id: string; readonly name: string | null; readonly domain: string | null } | null;
  readonly first_activity_at: string | null;
  readonly last_activity_at: string | null;
  readonly last_inbound_activity_at: string | null;
  readonly created_at: string;
  /** IDs of entities that were merged into this one; they resolve to it. */
  readonly merged_ids: readonly string[];
}

/** The summary of an account, included with `intent` or `compress`. */
export interface AccountSummary {
  /** The most important events first. */
  readonly key_activity: readonly KeyActivity[];
  readonly activity_summary: ActivitySummary;
  /** The other people of the company. */
  readonly stakeholders: readonly Stakeholder[];
  /** Null if the company is unknown or has no known people. */
  readonly committee: Committee | null;
}

/** Response of the account endpoint. */
export interface AccountResponse extends Partial<AccountSummary> {
  readonly entity_id: string;
  /** Same as `entity_id`; set if the requested ID belongs to an entity that was merged into this one. */
  readonly merged_into?: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly entity: PresentedEntity;
  readonly identifiers: readonly PresentedIdentifier[];
  /** Keyed by property, or a flat list if the request has `claims=list`. */
  readonly claims: Readonly<Record<string, PresentedClaim>> | readonly PresentedClaim[];
  /** Newest first; a company's include the events of its people. Omitted with `compress`. */
  readonly recent_observations?: readonly PresentedObservation[];
  /** The newest notes with their full content. */
  readonly notes: readonly PresentedNote[];
  /** Previews of the newest notes. */
  readonly documents: readonly NotePreview[];
  /** Signals and notes as sentences, newest first. */
  readonly facts: readonly FactSentence[];
  /** The last recorded score; omitted if there is none. */
  readonly icp?: AccountIcp;
  /** Of a company: its most recently active people. `people_count` counts all of them. */
  readonly people?: readonly CompanyPerson[];
  readonly people_count?: number;
  readonly limit: number;
  readonly has_more: boolean;
  /** Pass as `cursor` to get the next page of observations; null on the last page. */
  readonly next_cursor: string | null;
  readonly as_of: string;
  readonly known_at: string;
}

/** Converts an entity row to its response shape. */
export function presentEntity(row: AccountEntityRow): PresentedEntity {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    company: row.company_id && { id: row.company_id, name: row.company_name, domain: row.company_domain },
    first_activity_at: toIsoOrNull(row.first_activity_at),
    last_activity_at: toIsoOrNull(row.last_activity_at),
    last_inbound_activity_at: toIsoOrNull(row.last_inbound_activity_at),
    created_at: toIso(row.created_at),
    merged_ids: row.merged_ids,
  } as PresentedEntity;
}

/** Converts an identifier row to its response shape. */
export function presentIdentifier({ kind, value, key, first_seen, disputed }: IdentifierRow): PresentedIdentifier {
  const shared = kind === 'email' && isRoleMailbox(value.slice(0, value.lastIndexOf('@')));
  return { kind, value, key, first_seen: toIso(first_seen), disputed, ...(shared ? { shared_mailbox: true } : {}) };
}

/** Converts a timeline row to its response shape. */
export function presentObservation(row: TimelineRow): PresentedObservation {
  const observedAt = toIso(row.observed_at);
  return {
    id: row.id,
    entity_id: row.entity_id,
    kind: row.kind,
    property: row.property,
    type: stripEventPrefix(row.property),
    value: row.value,
    source: row.source,
    method: row.method,
    observed_at: observedAt,
    recorded_at: toIso(row.recorded_at),
    when: toIso(row.happens_at),
    external_id: row.external_id,
    ...(row.person_id !== null && { person_id: row.person_id }),
  };
}
