import { ADDRESS_STATUS_PROPERTY } from '#domain/claims/address-status.js';
import { DECIDING_PROPERTIES } from '#domain/dedup/contact-status.js';
import { MEETING_EVENTS } from '#domain/meetings/upcoming-meetings.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Maximum number of newest meeting events read per entity. */
const MAX_MEETINGS = 20;

/** Maximum number of newest list memberships read per entity. */
const MAX_LISTS = 20;

/** Stored data of an entity that decides about its classification. Times within JSON are microseconds. */
export interface ContactStatusRow {
  readonly id: string;
  readonly inbound: Instant | null;
  readonly activity: Instant | null;
  readonly claims: readonly ContactClaimRow[] | null;
  readonly meetings: readonly ContactMeetingRow[] | null;
  readonly lists: readonly ListMembershipRow[] | null;
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

// One statement for any number of entities. OFFSET 0 makes each part use its own index condition.
const READ_CONTACT_STATUSES = prepare(`
  SELECT entity.id, greatest(entity.inbound, people.inbound) AS inbound,
         greatest(entity.activity, people.activity) AS activity, claims.list AS claims, meetings.list AS meetings,
         lists.list AS lists
  FROM unnest($2::uuid[]) AS requested (id)
  JOIN LATERAL (
    SELECT e.id, e.type, e.last_inbound_activity_at AS inbound, e.last_activity_at AS activity FROM entities e
    WHERE e.workspace_id = $1 AND e.id = requested.id OFFSET 0
  ) entity ON true
  JOIN LATERAL (
    SELECT max(person.last_inbound_activity_at) AS inbound, max(person.last_activity_at) AS activity
    FROM entities person WHERE entity.type = 'company' AND person.workspace_id = $1 AND person.company_id = entity.id
  ) people ON true
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
  ]);
}

/** Details for a result: either an address of an entity, or the event behind an activity. */
export interface ContactDetailRow {
  readonly entity_id: string;
  /** Set for an address. */
  readonly key: string | null;
  readonly value: string | null;
  /** Set for an event. */
  readonly observation_id: string | null;
}

const READ_RELATED = prepare(`
  SELECT entity.id AS entity_id, address.key, address.value, NULL::uuid AS observation_id
  FROM unnest($2::uuid[]) AS entity (id) CROSS JOIN LATERAL ${MEMBERS_SQL} AS member (id)
  JOIN LATERAL (
    SELECT i.key, i.value, i.first_seen FROM identifiers i
    WHERE i.workspace_id = $1 AND i.entity_id = member.id AND i.kind = 'email' ORDER BY i.first_seen, i.key
  ) address ON true
  UNION ALL
  SELECT entity.id, NULL, NULL, event.id
  FROM unnest($3::uuid[], $4::timestamptz[]) AS entity (id, at) CROSS JOIN LATERAL (
    SELECT moment.id FROM ${MEMBERS_SQL} AS member (id)
    JOIN LATERAL (
      SELECT o.id FROM observations o
      WHERE o.workspace_id = $1 AND o.entity_id = member.id AND o.observed_at = entity.at AND o.kind = 'event' OFFSET 0
    ) moment ON true
    ORDER BY moment.id LIMIT 1
  ) event`);

/**
 * Reads the addresses of some entities, and the events of others at given times. One statement.
 * @param addressesOf canonical IDs of the entities whose addresses are read.
 */
export function readRelated(
  tx: Tx,
  addressesOf: readonly string[],
  activities: readonly { readonly entityId: string; readonly at: Instant }[],
): Promise<ContactDetailRow[]> {
  const ids = activities.map(({ entityId }) => entityId);
  return tx.query<ContactDetailRow>(READ_RELATED, [
    tx.workspace,
    addressesOf,
    ids,
    activities.map(({ at }) => toIso(at)),
  ]);
}

/** Returns whether the workspace has this lead list. */
export async function hasList(tx: Tx, listId: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM lead_lists WHERE workspace_id = $1 AND id = $2';
  return (await tx.query(sql, [tx.workspace, listId])).length > 0;
}
