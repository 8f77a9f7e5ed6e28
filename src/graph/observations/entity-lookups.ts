import { focusKey } from '../identity/identity.service.js';
import { touchedClaimKeys } from './statements-by-claim.js';
import type { EntityLookup } from './find-and-lock.queries.js';
import { type RecordCall, toEntityReference } from './record-call.js';

/**
 * Whom these calls are about, each once. Undefined where that cannot be looked up by what they name alone: a caller has
 * done it already, or a call states other identifiers, which may belong to somebody else.
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
