import type { LookupResult, RouteResponse } from '@rapport/plugin-sdk';
import { findAddress } from './address.js';
import type { Hub } from './provider.js';

/** A contact that Cal.com can be asked about. */
export interface Contact {
  readonly email: string;
}

const BARE_NAME = /^[^@./]*$/;
const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The person whom a focus names precisely, for something that writes; or why it does not. */
export async function resolveContact(hub: Hub, focus: string): Promise<Contact | (RouteResponse & { status: number })> {
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

function toErrorResponse(status: number, error: string, detail: string): RouteResponse & { status: number } {
  return { status, body: { error, detail } };
}
