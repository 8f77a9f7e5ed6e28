import type { Json } from '@rapport/plugin-sdk';
import { findAddress, isReachable } from './address.js';
import type { Attendee } from './booking.js';
import { toFields, toList, findText } from './json-fields.js';

/**
 * Who of the attendees may be a contact: teams whose hosts take turns stand among the attendees as well.
 * @param attendees as Cal.com lists them
 * @param team organizer, hosts and members of the team
 */
export function parseAttendees(attendees: Json | undefined, team: readonly (Json | undefined)[]): Attendee[] {
  const own = new Set(team.flatMap(member => listAddresses(member)));
  const known = new Map<string, Attendee>();
  for (const attendee of toList(attendees)) {
    const { email, displayEmail, name, firstName, lastName, timeZone } = toFields(attendee);
    const address = findAddress(displayEmail, email);
    if (address === undefined || own.has(address) || !isReachable(address) || known.has(address)) continue;
    const called = parseName(name, firstName, lastName);
    const zone = findText(timeZone);
    known.set(address, { email: address, ...(called && { name: called }), ...(zone && { timeZone: zone }) });
  }
  return [...known.values()];
}

function listAddresses(member: Json | undefined): string[] {
  const { email, displayEmail } = toFields(member);
  return [findAddress(email), findAddress(displayEmail)].filter(address => address !== undefined);
}

/** The name is a text, or its parts. */
function parseName(name: Json | undefined, ...parts: readonly (Json | undefined)[]): string | undefined {
  const { firstName, lastName } = toFields(name);
  const joined = (...words: readonly (Json | undefined)[]) =>
    words.flatMap(word => findText(word) ?? []).join(' ') || undefined;
  return findText(name) ?? joined(firstName, lastName) ?? joined(...parts);
}
