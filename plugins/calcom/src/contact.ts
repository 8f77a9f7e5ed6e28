import type { Found, RouteAnswer } from '@rapport/plugin-sdk';
import { addressOf } from './address.js';
import type { Hub } from './provider.js';

/** A contact that Cal.com can be asked about. */
export interface Contact {
  readonly email: string;
}

const BARE_NAME = /^[^@./]*$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The person whom a focus names precisely, for something that writes; or why it does not. */
export async function preciseContact(hub: Hub, focus: string): Promise<Contact | (RouteAnswer & { status: number })> {
  const isBareName = /\s/.test(focus.trim()) || (BARE_NAME.test(focus) && !ID.test(focus.trim()));
  if (isBareName) {
    return refused(
      400,
      'invalid_focus',
      'A bare name is not precise enough: send an id, an e-mail address or a LinkedIn URL.',
    );
  }
  const found = await hub.graph.find(focus);
  const email = emailOf(found);
  if (email !== undefined) return { email };
  return found
    ? refused(400, 'invalid_focus', 'Cal.com knows people by their e-mail address, and this one has none.')
    : refused(404, 'entity_not_found', 'No entity of this workspace answers to that.');
}

/** The address by which Cal.com may know whoever was found. */
export function emailOf(found: Found): string | undefined {
  return found?.status === 'one' ? addressOf(found.entity.email) : undefined;
}

function refused(status: number, error: string, detail: string): RouteAnswer & { status: number } {
  return { status, body: { error, detail } };
}
