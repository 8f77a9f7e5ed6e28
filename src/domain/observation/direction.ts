import { canonicalEvent } from '#domain/properties/registry.js';
import { EVENT_PREFIX, type Json } from './observation.js';

/** Who turned to whom in an interaction, seen from the workspace. */
export type Direction = 'inbound' | 'outbound';

/** Events in which the other side acts. Everything else is ours, or goes for ours until it says otherwise. */
const inbound: ReadonlySet<string> = new Set([
  'email_opened',
  'email_clicked',
  'email_replied',
  'unsubscribed',
  'call_held',
  'meeting_held',
  'connection_accepted',
  'linkedin_replied',
  'page_visited',
  'form_submitted',
  'product_used',
]);

/** The direction of an event: what its value says under `direction`, else what its type implies. */
export function directionOf(property: string, value: Json): Direction {
  const said = value !== null && typeof value === 'object' && !Array.isArray(value) ? value['direction'] : undefined;
  if (said === 'inbound' || said === 'outbound') return said;
  return inbound.has(typeOf(canonicalEvent(property))) ? 'inbound' : 'outbound';
}

/** A property as people say it: without the namespace of events. */
export function typeOf(property: string): string {
  return property.startsWith(EVENT_PREFIX) ? property.slice(EVENT_PREFIX.length) : property;
}
