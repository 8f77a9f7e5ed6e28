/** Somebody who is at a booking and does not belong to the team. */
export interface Attendee {
  /** As `addressOf` makes it. */
  readonly email: string;
  readonly name?: string;
  /** IANA name of the zone that they booked in. */
  readonly timeZone?: string;
}

/** A booking of Cal.com, as far as it is read, from whichever door. Instants are ISO 8601, UTC. */
export interface Booking {
  readonly uid: string;
  readonly start: string;
  readonly end?: string;
  readonly title?: string;
  /** Slug of the event type. */
  readonly eventType?: string;
  /** Address of who organizes it. */
  readonly host?: string;
  /** Link to join, https. */
  readonly meetingUrl?: string;
  /** Uid of the booking that this one took the place of. */
  readonly rescheduledFrom?: string;
  /** Uid of the booking that took the place of this one. */
  readonly rescheduledTo?: string;
  readonly reason?: string;
  readonly cancelledBy?: string;
  /** The host has asked for another time. */
  readonly rescheduleRequested?: boolean;
  /** Team members, hosts, and addresses that were made of phone numbers are not among them; nobody is twice. */
  readonly attendees: readonly Attendee[];
}

/** Something that became of a booking. */
export interface BookingEvent {
  readonly kind: 'scheduled' | 'cancelled';
  /** When, ISO 8601, UTC. */
  readonly at: string;
  readonly booking: Booking;
}

/**
 * The id under which an act is kept, one for each contact: what is scheduled is a booking at a time, because seats are
 * moved under the same uid; what is cancelled is a booking. The time counts, not how it was spelt.
 */
export function formatExternalId({ kind, booking: { uid, start } }: BookingEvent): string {
  return kind === 'scheduled' ? `calcom:${uid}:${Math.floor(Date.parse(start) / 1000)}` : `calcom:${uid}`;
}
