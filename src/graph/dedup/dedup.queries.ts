import { ADDRESS_STATUS_PROPERTY } from '#domain/claims/address-status.js';
import type { StagedEntity } from '#domain/dedup/related-account.js';
import { DECIDING_PROPERTIES } from '#domain/dedup/contact-status.js';
import { MEETING_EVENTS } from '#domain/meetings/upcoming-meetings.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import { EVENTS_WITHOUT_ENGAGEMENT, INBOUND_EVENTS } from '#domain/observation/interaction-events.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { automaticSql } from '../observations/observations.queries.js';

/** Maximum number of newest meeting events read per entity. */
const MAX_MEETINGS = 20;

/** Maximum number of people of a company whose stages are read. */
const MAX_STAGED_PEOPLE = 50;

/** Maximum number of newest list memberships read per entity. */
const MAX_LISTS = 20;

/** Stored data of an entity that decides about its classification. Times within JSON are microseconds. */
export interface ContactStatusRow {
  readonly id: string;
  /** The last time that the other side acted, and the last activity of either side; null if never. */
  readonly inbound: ContactEventRow | null;
  readonly activity: ContactEventRow | null;
  readonly claims: readonly ContactClaimRow[] | null;
  readonly meetings: readonly ContactMeetingRow[] | null;
  readonly lists: readonly ListMembershipRow[] | null;
  /** Of a company: itself and its people that have a stage, the latest active ones first. */
  readonly staged: readonly StagedEntity[] | null;
}

/** An event of a contact. */
export interface ContactEventRow {
  readonly id: string;
  readonly at: Instant;
}

/** A claim; `ref` is the ID of its top observation. */
export interface ContactClaimRow {
  readonly property: string;
  readonly value: JsonValue;
  readonly at: Instant;
  readonly ref: string;
  /** Of `email`: the previous addresses; otherwise null. */
  readonly history: readonly { readonly value: JsonValue; readonly to: Instant; readonly endedBy: string }[] | null;
  /** Of `email_status`: the status of each address; otherwise null. */
  readonly tracks: readonly AddressTrackRow[] | null;
}

/** The status of an address. */
export interface AddressTrackRow {
  /** Key of the address; empty if none was named. */
  readonly key: string;
  readonly newest: { readonly value: JsonValue; readonly t: Instant; readonly id: string };
}

/** A meeting event. */
export interface ContactMeetingRow {
  readonly id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly at: Instant;
}

/** A membership in a lead list. */
export interface ListMembershipRow {
  readonly list_id: string;
  readonly name: string;
  readonly status: string;
  readonly at: Instant;
}

const microsSql = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;
const MEMBERS_SQL = `(SELECT entity.id UNION ALL
  SELECT merged.id FROM entities merged WHERE merged.workspace_id = $1 AND merged.canonical_id = entity.id)`;

/** The people of a company; of a person nobody. */
const PEOPLE_SQL = `(
  SELECT p.id, p.stage, p.canonical_id, p.last_activity_at FROM entities p
  WHERE p.workspace_id = $1 AND p.company_id = entity.id OFFSET 0)`;

/** Who counts for an entity that was ever active: the members of its cluster; of a company, also those of its people. */
const CONTACTS_SQL = `(
  SELECT member.id FROM ${MEMBERS_SQL} AS member (id) WHERE entity.is_active
  UNION ALL
  SELECT person.id FROM ${PEOPLE_SQL} person WHERE person.last_activity_at IS NOT NULL
  UNION ALL
  SELECT merged.id FROM ${PEOPLE_SQL} person JOIN LATERAL (
    SELECT m.id FROM entities m WHERE m.workspace_id = $1 AND m.canonical_id = person.id OFFSET 0
  ) merged ON true WHERE person.last_activity_at IS NOT NULL)`;

/** The newest event of these contacts that makes somebody engaged, as JSON. */
const newestEventSql = (condition: string) => `(
  SELECT json_build_object('id', event.id, 'at', ${microsSql('event.observed_at')}) AS newest
  FROM ${CONTACTS_SQL} AS contact (id)
  JOIN LATERAL (
    SELECT o.id, o.observed_at FROM observations o
    WHERE o.workspace_id = $1 AND o.entity_id = contact.id AND o.kind = 'event' AND o.observed_at <= now()
      AND o.property <> ALL ($6::text[]) AND NOT ${automaticSql('o.value')} ${condition}
    ORDER BY o.observed_at DESC, o.id DESC LIMIT 1
  ) event ON true
  ORDER BY event.observed_at DESC, event.id DESC LIMIT 1
)`;

const DIRECTION_SQL = `CASE WHEN jsonb_typeof(o.value) = 'object' THEN o.value ->> 'direction' END`;
const INBOUND_SQL = `AND coalesce(${DIRECTION_SQL}, CASE WHEN o.property = ANY ($7::text[]) THEN 'inbound' END) = 'inbound'`;

// One statement for any number of entities. OFFSET 0 makes each part use its own index condition.
const READ_CONTACT_STATUSES = prepare(`
  SELECT entity.id, inbound.newest AS inbound, activity.newest AS activity, claims.list AS claims,
         meetings.list AS meetings, lists.list AS lists, staged.list AS staged
  FROM unnest($2::uuid[]) AS requested (id)
  JOIN LATERAL (
    SELECT e.id, e.type, e.stage, e.last_activity_at IS NOT NULL AS is_active FROM entities e
    WHERE e.workspace_id = $1 AND e.id = requested.id OFFSET 0
  ) entity ON true
  JOIN LATERAL (
    SELECT json_agg(json_build_object('entityId', one.id, 'stage', one.stage)) AS list FROM (
      SELECT entity.id, entity.stage WHERE entity.type = 'company' AND entity.stage IS NOT NULL
      UNION ALL
      (SELECT person.id, person.stage FROM ${PEOPLE_SQL} person
       WHERE person.stage IS NOT NULL AND person.canonical_id IS NULL
       ORDER BY person.last_activity_at DESC NULLS LAST, person.id LIMIT ${MAX_STAGED_PEOPLE})
    ) one
  ) staged ON true
  LEFT JOIN LATERAL ${newestEventSql(INBOUND_SQL)} inbound ON true
  LEFT JOIN LATERAL ${newestEventSql('')} activity ON true
  JOIN LATERAL (
    SELECT json_agg(json_build_object('property', c.property, 'value', c.value, 'at', ${microsSql('c.supported_at')},
      'ref', c.top_observation_id,
      'history', CASE WHEN c.property = 'email' THEN c.state::json #> '{tracks,0,history}' END,
      'tracks', CASE WHEN c.property = '${ADDRESS_STATUS_PROPERTY}' THEN c.state::json -> 'tracks' END)) AS list
    FROM claims c WHERE c.workspace_id = $1 AND c.entity_id = entity.id AND c.property = ANY ($3::text[])
      AND (c.supported_at IS NOT NULL OR c.property = '${ADDRESS_STATUS_PROPERTY}')
  ) claims ON true
  JOIN LATERAL (
    SELECT json_agg(json_build_object('id', meeting.id, 'property', meeting.property, 'value', meeting.value,
      'at', ${microsSql('meeting.observed_at')})) AS list
    FROM (
      SELECT log.id, log.property, log.value, log.observed_at FROM ${MEMBERS_SQL} AS member (id)
      JOIN LATERAL (
        SELECT o.id, o.property, o.value, o.observed_at FROM observations o
        WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.property = ANY ($4::text[]) OFFSET 0
      ) log ON true
      ORDER BY log.observed_at DESC LIMIT ${MAX_MEETINGS}
    ) meeting
  ) meetings ON true
  JOIN LATERAL (
    SELECT json_agg(json_build_object('list_id', membership.list_id, 'name', list.name, 'status', membership.status,
      'at', ${microsSql('membership.updated_at')}) ORDER BY membership.updated_at DESC) AS list
    FROM (
      SELECT lead.list_id, lead.status, lead.updated_at FROM ${MEMBERS_SQL} AS member (id)
      JOIN LATERAL (
        SELECT l.list_id, l.status, l.updated_at FROM leads l
        WHERE l.workspace_id = $1 AND l.entity_id = member.id OFFSET 0
      ) lead ON true
      WHERE $5::uuid IS NULL OR lead.list_id <> $5
      ORDER BY lead.updated_at DESC LIMIT ${MAX_LISTS}
    ) membership
    JOIN LATERAL (
      SELECT ll.name FROM lead_lists ll WHERE ll.workspace_id = $1 AND ll.id = membership.list_id OFFSET 0
    ) list ON true
  ) lists ON true`);

/**
 * Reads the data that decides about the classification of these canonical entities. One statement.
 * @param excludedListId a list that does not count.
 */
export function readContactStatuses(
  tx: Tx,
  ids: readonly string[],
  excludedListId: string | undefined,
): Promise<ContactStatusRow[]> {
  return tx.query<ContactStatusRow>(READ_CONTACT_STATUSES, [
    tx.workspace,
    ids,
    DECIDING_PROPERTIES,
    [...MEETING_EVENTS],
    excludedListId ?? null,
    EVENTS_WITHOUT_ENGAGEMENT,
    INBOUND_EVENTS,
  ]);
}

/** An address of an entity. */
export interface ContactAddressRow {
  readonly entity_id: string;
  readonly key: string;
  readonly value: string;
}

const READ_ADDRESSES = prepare(`
  SELECT entity.id AS entity_id, address.key, address.value
  FROM unnest($2::uuid[]) AS entity (id) CROSS JOIN LATERAL ${MEMBERS_SQL} AS member (id)
  JOIN LATERAL (
    SELECT i.key, i.value, i.first_seen FROM identifiers i
    WHERE i.workspace_id = $1 AND i.entity_id = member.id AND i.kind = 'email' ORDER BY i.first_seen, i.key
  ) address ON true`);

/** Reads the addresses of entities, given by canonical ID; of each in the order in which they became known. */
export function readAddresses(tx: Tx, ids: readonly string[]): Promise<ContactAddressRow[]> {
  return tx.query<ContactAddressRow>(READ_ADDRESSES, [tx.workspace, ids]);
}

/** Returns whether the workspace has this lead list. */
export async function hasList(tx: Tx, listId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM lead_lists WHERE workspace_id = $1 AND id = $2';
  return (await tx.query(sql, [tx.workspace, listId])).length > 0;
}
