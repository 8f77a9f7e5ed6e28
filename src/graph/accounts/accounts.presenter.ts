import type { AddressStatus } from '#domain/claims/address-status.js';
import type { Claim } from '#domain/claims/claim.js';
import { describeClaim } from '#domain/context/context-candidates.js';
import { selectKeyActivity, type KeyActivity } from '#domain/context/key-activity.js';
import { buildCommittee, toStakeholder, type Committee, type Stakeholder } from '#domain/context/committee.js';
import { type Intent, PRESETS, DEFAULT_KEY_ACTIVITY_COUNT } from '#domain/context/intents.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { isIcpFit, type ScoreScale, type Tier, toTier } from '#domain/score/bands.js';
import type { EntityType } from '#domain/identity/focus.js';
import { isRoleMailbox } from '#domain/identity/email.js';
import { stripEventPrefix } from '#domain/observation/interaction-events.js';
import { toIso, toIsoOrNull } from '#domain/time/instant.js';
import {
  type AccountEntityRow,
  type IdentifierRow,
  type Horizon,
  readActivitySummary,
  readNewestEvents,
  type ActivitySummary,
} from './accounts.queries.js';
import { type TimelineRow } from './timeline.queries.js';
import { toCommitteeMember, type CompanyPersonRow, type CompanyPerson } from './company-people.service.js';
import type { NotePreview, PresentedNote } from '../notes/notes.presenter.js';

/** A signal or note claim, worded as a sentence. */
export interface FactSentence {
  /** The property: `signal.hiring`. */
  readonly category: string;
  readonly content: string;
  readonly date: string;
}

/** Maximum number of sentences in a response; the newest are kept. */
export const MAX_FACT_SENTENCES = 15;

/** Returns whether a claim is a signal or a note, whose value reads as a sentence. */
export function isFact({ property }: Pick<Claim, 'property'>): boolean {
  return property.startsWith('signal.') || property.startsWith('note.');
}

/** Words a signal or note claim as a sentence. */
export function toSentence(claim: Claim): FactSentence {
  return { category: claim.property, content: describeClaim(claim), date: claim.last_observed_at };
}

/** Returns the current signals and notes as sentences, newest first, at most `MAX_FACT_SENTENCES`. */
export function toFactSentences(claims: readonly Claim[]): FactSentence[] {
  const current = claims.filter(claim => isFact(claim) && claim.status === 'current');
  return current.map(toSentence).sort(compareNewestFirst).slice(0, MAX_FACT_SENTENCES);
}

/** Compares two sentences by date, newest first. */
export function compareNewestFirst(one: FactSentence, other: FactSentence): number {
  return one.date < other.date ? 1 : -1;
}

/** Newest events from which the key activity is selected. */
const MAX_EVENTS = 200;

/**
 * Reads the summary of an account with two statements in one round trip.
 * @param people of the company that the entity is or belongs to.
 */
export async function readSummary(
  tx: Tx,
  entity: AccountEntityRow,
  people: readonly CompanyPersonRow[],
  horizon: Horizon,
  intent: Intent | undefined,
): Promise<AccountSummary> {
  const [events, activity_summary] = await Promise.all([
    readNewestEvents(tx, entity.id, horizon, MAX_EVENTS),
    readActivitySummary(tx, entity.id, horizon),
  ]);
  const count = intent === undefined ? DEFAULT_KEY_ACTIVITY_COUNT : PRESETS[intent].activity;
  const members = people.map(toCommitteeMember);
  const company = entity.type === 'company' ? entity.name : (entity.company_name ?? entity.company_domain);
  return {
    key_activity: selectKeyActivity(events, count, horizon.asOf),
    activity_summary,
    stakeholders: members.filter(({ entityId }) => entityId !== entity.id).map(toStakeholder),
    committee: buildCommittee(company, members),
  };
}

/** The last recorded score of an entity. */
export interface AccountIcp {
  /** Fit, 0 to 100; null if unknown. */
  readonly score: number | null;
  readonly fit: boolean | null;
  readonly tier: Tier | null;
  /** The recommended play, with the rule that selected it in parentheses. */
  readonly reason: string | null;
  readonly scored_at: string;
  /** Previous scores, newest first. */
  readonly history: readonly { readonly score: number | null; readonly scored_at: string }[];
  readonly outcome_score: null;
}

/** Returns the last recorded score from the claims of an entity, or undefined. @param scale of its workspace. */
export function presentIcp(claims: readonly Claim[], scale: ScoreScale): AccountIcp | undefined {
  const claim = claims.find(({ property, status }) => property === 'lead_score' && status === 'current');
  if (!claim) return undefined;
  const score = readFit(claim.value);
  return {
    score,
    fit: isIcpFit(score),
    tier: toTier(score, scale),
    reason: readReason(claim.value),
    scored_at: claim.last_observed_at,
    history: (claim.history ?? []).map(({ value, valid_from }) => ({ score: readFit(value), scored_at: valid_from })),
    outcome_score: null,
  };
}

function readField(value: JsonValue, name: string): JsonValue | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : undefined;
}

function readFit(value: JsonValue): number | null {
  const score = typeof value === 'number' ? value : readField(value, 'icp_score');
  return typeof score === 'number' ? score : null;
}

function readReason(value: JsonValue): string | null {
  const [play, rule] = [readField(value, 'play'), readField(value, 'play_rule')];
  return typeof play === 'string' ? `${play}${typeof rule === 'string' ? ` (${rule})` : ''}` : null;
}

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
  /** Of an e-mail address: whether it works, and when that was stated last; omitted if nothing is known. */
  readonly status?: JsonValue;
  readonly status_at?: string;
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
export function presentIdentifier(
  { kind, value, key, first_seen, disputed }: IdentifierRow,
  status: AddressStatus | undefined,
): PresentedIdentifier {
  const shared = kind === 'email' && isRoleMailbox(value.slice(0, value.lastIndexOf('@')));
  return {
    kind,
    value,
    key,
    first_seen: toIso(first_seen),
    disputed,
    ...(shared ? { shared_mailbox: true } : {}),
    ...(kind === 'email' && status && { status: status.status, status_at: toIso(status.statusAt) }),
  };
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
