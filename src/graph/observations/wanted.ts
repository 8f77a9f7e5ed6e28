import { handleOfFocus } from '../identity/identity.service.js';
import { claimKeysOf } from './claim-additions.js';
import type { Wanted } from './meeting.queries.js';
import { type RecordCall, subjectOf } from './record-call.js';

/**
 * Whom these calls are about, each once. Undefined where that cannot be looked up by what they name alone: a caller has
 * done it already, or a call states other identifiers, which may belong to somebody else.
 */
export function wantedBy(calls: readonly RecordCall[]): Wanted[] | undefined {
  if (!calls.every(namesOneOnly)) return undefined;
  const foci = new Map(calls.map(({ request: { focus } }) => [handleOfFocus(focus), focus]));
  const said = calls.map(({ request }) => ({ entityId: handleOfFocus(request.focus), said: request.observations }));
  const keys = Map.groupBy(claimKeysOf(said), ({ entityId }) => entityId);
  return [...foci].map(([handle, focus]) => ({
    focus,
    properties: (keys.get(handle) ?? []).map(({ property }) => property),
  }));
}

function namesOneOnly(call: RecordCall): boolean {
  const isOpen = call.entity === undefined && call.owners === undefined && call.request.observations.length > 0;
  return isOpen && subjectOf(call).alsoKnownAs.length === 0;
}
