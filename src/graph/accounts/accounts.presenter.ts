import type { Claim } from '#domain/claims/claim.js';
import type { KeyActivity } from '#domain/context/key-activity.js';
import type { Committee, Stakeholder } from '#domain/context/committee.js';
import type { EntityType } from '#domain/identity/focus.js';
import { isRoleMailbox } from '#domain/identity/mailboxes.js';
import { stripEventPrefix } from '#domain/observation/direction.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { NotePreview, PresentedNote } from '../notes/notes.presenter.js';
import type { ActivitySummary } from './activity.queries.js';
import type { FactSentence } from './account-facts.js';
import type { AccountEntityRow, IdentifierRow, TimelineRow } from './accounts.queries.js';
import type { CompanyPerson } from './company-people.queries.js';
import type { AccountIcp } from './icp.presenter.js';

/** A claim in an answer. */
export type PresentedClaim = Claim & { readonly entity_id: string };

/** One way to name an entity. */
export interface PresentedIdentifier {
  readonly kind: IdentifierRow['kind'];
  readonly value: string;
  readonly key: string;
  readonly first_seen: string;
  /** The mailbox of a function (info@, sales@), not of one person. */
  readonly shared_mailbox?: true;
  /** Whether another entity has it, or says so. */
  readonly disputed: boolean;
}

/** One observation of a timeline. */
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
  /** When the thing itself takes place: the start of a meeting, for everything else `observed_at`. */
  readonly when: string;
  readonly external_id: string | null;
  /** In the timeline of a company: whose event it is, where it is one of its people. */
  readonly person_id?: string;
}

/** What an entity is, apart from what is claimed of it. */
export interface PresentedEntity {
  readonly id: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly company: { readonly id: string; readonly name: string | null; readonly domain: string | null } | null;
  readonly first_activity_at: string | null;
  readonly last_activity_at: string | null;
  readonly last_inbound_activity_at: string | null;
  readonly created_at: string;
  /** Ids that resolve to this entity as well, since they were merged into it. */
  readonly merged_ids: readonly string[];
}

/** What an account says in short, for those who ask with an intent or for a compressed one. */
export interface AccountSummary {
  /** What happened and matters most, first. */
  readonly key_activity: readonly KeyActivity[];
  readonly activity_summary: ActivitySummary;
  /** The other people of the company. */
  readonly stakeholders: readonly Stakeholder[];
  /** Null when no company, or nobody of it, is known. */
  readonly committee: Committee | null;
}

/** The whole account of one entity. */
export interface AccountResponse extends Partial<AccountSummary> {
  readonly entity_id: string;
  /** The same id, when the account was asked for by that of an entity which was merged into it. */
  readonly merged_into?: string;
  readonly type: EntityType;
  readonly name: string | null;
  readonly entity: PresentedEntity;
  readonly identifiers: readonly PresentedIdentifier[];
  /** By property; or the flat list, if that was asked for. */
  readonly claims: Readonly<Record<string, PresentedClaim>> | readonly PresentedClaim[];
  /** Newest first; of a company with the events of its people. Missing when a compressed account was asked for. */
  readonly recent_observations?: readonly PresentedObservation[];
  /** The newest notes, whole. */
  readonly notes: readonly PresentedNote[];
  /** How the newest notes begin. */
  readonly documents: readonly NotePreview[];
  /** Signals and single notes as sentences, the newest first. */
  readonly facts: readonly FactSentence[];
  /** The score that was last recorded; missing when none was. */
  readonly icp?: AccountIcp;
  /** Of a company: those of its people who were active last, and how many there are. */
  readonly people?: readonly CompanyPerson[];
  readonly people_count?: number;
  readonly limit: number;
  readonly has_more: boolean;
  /** Hand it back as `cursor` for the next page of observations; null on the last one. */
  readonly next_cursor: string | null;
  readonly as_of: string;
  readonly known_at: string;
}

const isoOrNull = (instant: Instant | null) => (instant === null ? null : toIso(instant));

/** An entity as it is shown. */
export function presentEntity(row: AccountEntityRow): PresentedEntity {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    company: row.company_id && { id: row.company_id, name: row.company_name, domain: row.company_domain },
    first_activity_at: isoOrNull(row.first_activity_at),
    last_activity_at: isoOrNull(row.last_activity_at),
    last_inbound_activity_at: isoOrNull(row.last_inbound_activity_at),
    created_at: toIso(row.created_at),
    merged_ids: row.merged_ids,
  } as PresentedEntity;
}

/** An identifier as it is shown. */
export function presentIdentifier({ kind, value, key, first_seen, disputed }: IdentifierRow): PresentedIdentifier {
  const shared = kind === 'email' && isRoleMailbox(value.slice(0, value.lastIndexOf('@')));
  return { kind, value, key, first_seen: toIso(first_seen), disputed, ...(shared ? { shared_mailbox: true } : {}) };
}

/** An observation as it is shown in a timeline. */
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
