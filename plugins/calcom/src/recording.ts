import { isPermanentError } from '@rapport/plugin-sdk';
import type { Act } from './booking.js';
import { toObservations } from './observation.js';
import type { Hub } from './provider.js';

/**
 * Puts an act on the timelines of those who were there, or of one of them. An address that the hub does not take costs
 * the others nothing.
 * @param only address of the one, as `addressOf` makes it
 * @param isPast it is history and nobody is told of it
 * @returns how many activities are new
 */
export async function recordAct(
  hub: Hub,
  act: Act,
  { only, isPast = false }: { readonly only?: string; readonly isPast?: boolean } = {},
): Promise<number> {
  const attendees = act.booking.attendees.filter(({ email }) => only === undefined || email === only);
  let fresh = 0;
  for (const attendee of attendees) {
    const observations = toObservations(act, attendee, isPast ? 'backfill' : undefined);
    try {
      const { recorded } = await hub.graph.record(attendee.email, observations);
      if (recorded > 0) fresh++;
    } catch (error) {
      if (!isPermanentError(error)) throw error;
      hub.log.warn('left an attendee out', { booking: act.booking.uid, reason: error.message });
    }
  }
  return fresh;
}
