import type { DecidingClaim, Proof, Standing } from '#domain/dedup/standing.js';
import { parseFocus } from '#domain/identity/focus.js';
import { upcomingMeetings } from '#domain/meetings/upcoming.js';
import type { Json } from '#domain/observation/observation.js';
import { DAY, type Instant } from '#domain/time/instant.js';
import type { ClaimInRow, ListInRow, StandingRow } from './dedup.queries.js';
import type { DedupOptions } from './dedup-request.js';

/** Where somebody stands, by the row that is kept of it. */
export function standingOf(row: StandingRow, now: Instant, options: DedupOptions): Standing {
  const claims = row.claims ?? [];
  const deciding = (property: string): DecidingClaim | undefined => {
    const claim = claims.find(each => each.property === property);
    return claim && claim.value !== null ? { value: claim.value, proof: proofOf(claim) } : undefined;
  };
  const email = claims.find(({ property }) => property === 'email');
  const meetings = (row.meetings ?? []).map(event => ({ ...event, observedAt: event.at }));
  const [meeting] = upcomingMeetings(meetings, now);
  return {
    entityId: row.id,
    claims: {
      do_not_contact: deciding('do_not_contact'),
      unsubscribed: deciding('unsubscribed'),
      email_status: deciding('email_status'),
      stage: deciding('stage'),
    },
    currentEmail: keyOf(email?.value),
    endedEmails: email ? endedIn(email) : new Map(),
    lastInbound: row.inbound === null ? null : { at: row.inbound },
    lastActivity: row.activity === null ? null : { at: row.activity },
    meeting: meeting ? { observationId: meeting.id, at: meeting.start } : null,
    lists: options.includeLists ? activeAmong(row.lists ?? [], now, options.windowDays) : [],
  };
}

function proofOf({ ref, at }: ClaimInRow): Proof {
  return { observationId: ref, at };
}

function endedIn({ value, history }: ClaimInRow): ReadonlyMap<string, Proof> {
  const current = keyOf(value);
  const ended = (history ?? []).flatMap(period => {
    const key = keyOf(period.value);
    return key === undefined || key === current
      ? []
      : [[key, { observationId: period.endedBy, at: period.to }] as const];
  });
  return new Map(ended);
}

/** A list counts for those who wait in it, and for those with whom something was done there within the window. */
function activeAmong(lists: readonly ListInRow[], now: Instant, windowDays: number): Proof[] {
  return lists
    .filter(({ status, at }) => status === 'pending' || at >= now - windowDays * DAY)
    .map(({ list_id, at }) => ({ listId: list_id, at }));
}

function keyOf(value: Json | undefined): string | undefined {
  const focus = typeof value === 'string' ? parseFocus(value) : undefined;
  return focus?.form === 'email' ? focus.key : undefined;
}
