import type { Json } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import type { ActivityEvent, ActivityPage, ActivityRequest, ActivityType } from '../adapter.js';
import { toText } from '../json.js';
import { readAssociations } from './hubspot-api.js';
import { type HubspotRow, pullHubspot } from './hubspot-pages.js';

const MINUTE_MS = 60_000;

/** Fields of calls, e-mails and meetings. Bodies are not read. */
const FIELDS: Readonly<Record<ActivityType, readonly string[]>> = {
  calls: ['hs_timestamp', 'hs_call_title', 'hs_call_status', 'hs_call_duration'],
  emails: ['hs_timestamp', 'hs_email_subject', 'hs_email_direction', 'hs_email_status', 'hs_email_from_email'],
  meetings: ['hs_timestamp', 'hs_meeting_title', 'hs_meeting_outcome', 'hs_meeting_start_time', 'hs_meeting_end_time'],
};
const MISSED_CALLS: ReadonlySet<string> = new Set(['NO_ANSWER', 'BUSY', 'FAILED', 'MISSED']);
const MEETING_EVENTS: Readonly<Record<string, { readonly property: string; readonly sentence: string }>> = {
  SCHEDULED: { property: 'interaction.meeting_scheduled', sentence: 'A meeting was scheduled' },
  RESCHEDULED: { property: 'interaction.meeting_scheduled', sentence: 'A meeting was scheduled' },
  COMPLETED: { property: 'interaction.meeting_held', sentence: 'A meeting took place' },
  CANCELED: { property: 'interaction.meeting_cancelled', sentence: 'A meeting was cancelled' },
};

/** Reads a page of calls, e-mails or meetings with the contacts that they are about. */
export async function pullHubspotActivities(hub: Hub, { type, since, cursor }: ActivityRequest): Promise<ActivityPage> {
  const page = await pullHubspot(hub, { object: type, fields: FIELDS[type], since, cursor });
  const contactIds = await readAssociations(
    hub,
    type,
    'contacts',
    page.rows.map(({ id }) => id),
  );
  const activities = page.rows.map(row => ({
    id: row.id,
    updatedAt: row.updatedAt,
    event: toEvent(type, row),
    contactIds: contactIds.get(row.id) ?? [],
    from: toText(row.properties['hs_email_from_email'])?.toLowerCase() ?? null,
  }));
  return { activities, cursor: page.cursor };
}

function toEvent(type: ActivityType, row: HubspotRow): ActivityEvent | null {
  if (type === 'calls') return toCall(row);
  return type === 'emails' ? toEmail(row) : toMeeting(row);
}

function toCall({ properties, updatedAt }: HubspotRow): ActivityEvent | null {
  const status = toText(properties['hs_call_status']) ?? '';
  const isMissed = MISSED_CALLS.has(status);
  if (status !== 'COMPLETED' && !isMissed) return null;
  const durationMs = Number(properties['hs_call_duration'] ?? 0);
  const hasDuration = !isMissed && durationMs > 0;
  const title = toText(properties['hs_call_title']);
  return {
    property: isMissed ? 'interaction.call_missed' : 'interaction.call_held',
    at: readTime(properties['hs_timestamp']) ?? updatedAt,
    value: {
      ...describe(isMissed ? 'A call was not answered' : 'A call took place', title),
      ...(hasDuration && { minutes: Math.round(durationMs / MINUTE_MS) }),
    },
  };
}

function toEmail({ properties, updatedAt }: HubspotRow): ActivityEvent | null {
  const direction = toText(properties['hs_email_direction']);
  const status = toText(properties['hs_email_status']) ?? 'SENT';
  const subject = toText(properties['hs_email_subject']);
  const at = readTime(properties['hs_timestamp']) ?? updatedAt;
  if (direction === 'INCOMING_EMAIL')
    return { property: 'interaction.email_replied', at, value: describe('An e-mail came in', subject) };
  if (direction !== 'EMAIL') return null;
  if (status === 'BOUNCED')
    return { property: 'interaction.email_bounced', at, value: describe('An e-mail bounced', subject) };
  return status === 'SENT'
    ? { property: 'interaction.email_sent', at, value: describe('An e-mail was sent', subject) }
    : null;
}

/** A meeting without an outcome may have taken place or not. */
function toMeeting({ properties, updatedAt }: HubspotRow): ActivityEvent | null {
  const known = MEETING_EVENTS[toText(properties['hs_meeting_outcome']) ?? ''];
  if (!known) return null;
  const { property, sentence } = known;
  const start = readTime(properties['hs_meeting_start_time']) ?? readTime(properties['hs_timestamp']);
  const end = readTime(properties['hs_meeting_end_time']);
  const times = { ...(start !== null && { start }), ...(end !== null && { end }) };
  const isHeld = property === 'interaction.meeting_held';
  const value = { ...describe(sentence, toText(properties['hs_meeting_title'])), ...times };
  return { property, at: (isHeld && start) || updatedAt, value };
}

function describe(sentence: string, title: string | null): ActivityEvent['value'] {
  return title === null ? { description: `${sentence}.` } : { description: `${sentence}: ${title}`, title };
}

/** HubSpot sends times as ISO 8601, or as milliseconds since 1970. */
function readTime(value: Json | undefined): string | null {
  const text = toText(value);
  if (text === null) return null;
  const at = /^[0-9]+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isNaN(at) || Math.abs(at) > 8.64e15 ? null : new Date(at).toISOString();
}
