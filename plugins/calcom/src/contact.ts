import type { Json, LookupResult, FailureResponse } from '@rapport/plugin-sdk';
import { findText, toFields, toList } from './json-fields.js';
import type { Attendee } from './booking.js';
import type { Hub } from './plugin.js';

/** What Cal.com puts into the addresses of users that a platform manages. */
const MANAGED_SUFFIX = /\+[a-zA-Z0-9]{25}(?=@)/;
/** Made from the number of somebody who booked by phone. */
const SMS_DOMAIN = /@sms\.cal\.com$/;
const EMAIL_PATTERN = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** The first of these that is an e-mail address, in lower case and without what Cal.com has put in; else undefined. */
export function findAddress(...values: readonly (Json | undefined)[]): string | undefined {
  const addresses = values.map(value => findText(value)?.toLowerCase().replace(MANAGED_SUFFIX, ''));
  return addresses.find(address => address !== undefined && EMAIL_PATTERN.test(address));
}

/** Whether somebody can be written to there. */
export function isReachable(address: string): boolean {
  return !SMS_DOMAIN.test(address);
}

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

/** A contact that Cal.com can be asked about. */
export interface Contact {
  readonly email: string;
}

const BARE_NAME = /^[^@./]*$/;
const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The person whom a focus names precisely, for something that writes; or why it does not. */
export async function resolveContact(hub: Hub, focus: string): Promise<Contact | FailureResponse> {
  const isBareName = /\s/.test(focus.trim()) || (BARE_NAME.test(focus) && !UUID_PATTERN.test(focus.trim()));
  if (isBareName) {
    return toErrorResponse(
      400,
      'invalid_focus',
      'A bare name is not precise enough: send an id, an e-mail address or a LinkedIn URL.',
    );
  }
  const found = await hub.graph.find(focus);
  const email = readEmail(found);
  if (email !== undefined) return { email };
  return found
    ? toErrorResponse(400, 'invalid_focus', 'Cal.com knows people by their e-mail address, and this one has none.')
    : toErrorResponse(404, 'entity_not_found', 'No entity in this workspace matches that identifier.');
}

/** The address by which Cal.com may know whoever was found. */
export function readEmail(found: LookupResult): string | undefined {
  return found?.status === 'one' ? findAddress(found.entity.email) : undefined;
}

function toErrorResponse(status: FailureResponse['status'], error: string, detail: string): FailureResponse {
  return { status, body: { error, detail } };
}
