/** An attendee of a booking who is not a team member. */
export interface Attendee {
  /** As `addressOf` makes it. */
  readonly email: string;
  readonly name?: string;
  /** IANA name of the zone that they booked in. */
  readonly timeZone?: string;
}

/** A booking of Cal.com, from a webhook or the API. Times are ISO 8601, UTC. */
export interface Booking {
  readonly uid: string;
  readonly start: string;
  readonly end?: string;
  readonly title?: string;
  /** Slug of the event type. */
  readonly eventType?: string;
  /** E-mail address of the organizer. */
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

/** A change of a booking. */
export interface BookingEvent {
  readonly kind: 'scheduled' | 'cancelled';
  /** Time of the change, ISO 8601, UTC. */
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
