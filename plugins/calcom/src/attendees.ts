import type { Json } from '@rapport/plugin-sdk';
import { addressOf, isReachable } from './address.js';
import type { Attendee } from './booking.js';
import { fieldsOf, listOf, textOf } from './reading.js';

/**
 * Who of the attendees may be a contact: teams whose hosts take turns stand among the attendees as well.
 * @param attendees as Cal.com lists them
 * @param team organizer, hosts and members of the team
 */
export function attendeesOf(attendees: Json | undefined, team: readonly (Json | undefined)[]): Attendee[] {
  const own = new Set(team.flatMap(member => ownAddresses(member)));
  const known = new Map<string, Attendee>();
  for (const attendee of listOf(attendees)) {
    const { email, displayEmail, name, firstName, lastName, timeZone } = fieldsOf(attendee);
    const address = addressOf(displayEmail, email);
    if (address === undefined || own.has(address) || !isReachable(address) || known.has(address)) continue;
    const called = nameOf(name, firstName, lastName);
    const zone = textOf(timeZone);
    known.set(address, { email: address, ...(called && { name: called }), ...(zone && { timeZone: zone }) });
  }
  return [...known.values()];
}

function ownAddresses(member: Json | undefined): string[] {
  const { email, displayEmail } = fieldsOf(member);
  return [addressOf(email), addressOf(displayEmail)].filter(address => address !== undefined);
}

/** The name is a text, or its parts. */
function nameOf(name: Json | undefined, ...parts: readonly (Json | undefined)[]): string | undefined {
  const { firstName, lastName } = fieldsOf(name);
  const joined = (...words: readonly (Json | undefined)[]) =>
    words.flatMap(word => textOf(word) ?? []).join(' ') || undefined;
  return textOf(name) ?? joined(firstName, lastName) ?? joined(...parts);
}
