import { focusKey } from '../identity/identity.service.js';
import { touchedClaimKeys } from './statements-by-claim.js';
import type { EntityLookup } from './find-and-lock.queries.js';
import { type RecordCall, toEntityReference } from './record-call.js';

/**
 * Returns one look-up per entity of these calls. Returns undefined if identifiers alone do not suffice: an entity was
 * already looked up by the caller, or a call states further identifiers, which may belong to another entity.
 */
export function lookupsFor(calls: readonly RecordCall[]): EntityLookup[] | undefined {
  if (!calls.every(hasSingleIdentifier)) return undefined;
  const foci = new Map(calls.map(({ request: { focus } }) => [focusKey(focus), focus]));
  const said = calls.map(({ request }) => ({ entityId: focusKey(request.focus), said: request.observations }));
  const keys = Map.groupBy(touchedClaimKeys(said), ({ entityId }) => entityId);
  return [...foci].map(([handle, focus]) => ({
    focus,
    properties: (keys.get(handle) ?? []).map(({ property }) => property),
  }));
}

function hasSingleIdentifier(call: RecordCall): boolean {
  const isOpen = call.entity === undefined && call.owners === undefined && call.request.observations.length > 0;
  return isOpen && toEntityReference(call).alsoKnownAs.length === 0;
}
