import type { ClassifyingClaim, DedupEvidence, ContactStatus } from '#domain/dedup/contact-status.js';
import { parseFocus } from '#domain/identity/focus.js';
import { listUpcomingMeetings } from '#domain/meetings/upcoming-meetings.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { DAY_US, type Instant } from '#domain/time/instant.js';
import type { ContactClaimRow, ListMembershipRow, ContactStatusRow } from './dedup.queries.js';
import type { DedupOptions } from './dedup-request.js';

/** Derives the contact status of an entity from its stored data. @param now times are compared with. */
export function toContactStatus(row: ContactStatusRow, now: Instant, options: DedupOptions): ContactStatus {
  const claims = row.claims ?? [];
  const deciding = (property: string): ClassifyingClaim | undefined => {
    const claim = claims.find(each => each.property === property);
    return claim && claim.value !== null ? { value: claim.value, evidence: toEvidence(claim) } : undefined;
  };
  const email = claims.find(({ property }) => property === 'email');
  const meetings = (row.meetings ?? []).map(event => ({ ...event, observedAt: event.at }));
  const [meeting] = listUpcomingMeetings(meetings, now);
  return {
    entityId: row.id,
    claims: {
      do_not_contact: deciding('do_not_contact'),
      unsubscribed: deciding('unsubscribed'),
      email_status: deciding('email_status'),
      stage: deciding('stage'),
    },
    currentEmail: toEmailKey(email?.value),
    formerEmails: email ? readFormerEmails(email) : new Map(),
    lastInbound: row.inbound === null ? null : { at: row.inbound },
    lastActivity: row.activity === null ? null : { at: row.activity },
    meeting: meeting ? { observationId: meeting.id, at: meeting.start } : null,
    lists: options.includeLists ? findActiveLists(row.lists ?? [], now, options.windowDays) : [],
  };
}

function toEvidence({ ref, at }: ContactClaimRow): DedupEvidence {
  return { observationId: ref, at };
}

function readFormerEmails({ value, history }: ContactClaimRow): ReadonlyMap<string, DedupEvidence> {
  const current = toEmailKey(value);
  const ended = (history ?? []).flatMap(period => {
    const key = toEmailKey(period.value);
    return key === undefined || key === current
      ? []
      : [[key, { observationId: period.endedBy, at: period.to }] as const];
  });
  return new Map(ended);
}

/** Returns the lists that count: where the lead is pending, or was changed within the window. */
function findActiveLists(lists: readonly ListMembershipRow[], now: Instant, windowDays: number): DedupEvidence[] {
  return lists
    .filter(({ status, at }) => status === 'pending' || at >= now - windowDays * DAY_US)
    .map(({ list_id, at }) => ({ listId: list_id, at }));
}

function toEmailKey(value: JsonValue | undefined): string | undefined {
  const focus = typeof value === 'string' ? parseFocus(value) : undefined;
  return focus?.form === 'email' ? focus.key : undefined;
}
