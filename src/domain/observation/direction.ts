import { canonicalEvent } from '#domain/properties/registry.js';
import { EVENT_PREFIX, type JsonValue } from './observation.js';

/** Direction of an interaction, as seen from the workspace. */
export type Direction = 'inbound' | 'outbound';

/** Events in which the other side acts. All others are outbound unless their value says otherwise. */
const inboundEvents: ReadonlySet<string> = new Set([
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

/** Returns the direction of an event: the `direction` of its value, else the default of its type. */
export function resolveDirection(property: string, value: JsonValue): Direction {
  const stated = value !== null && typeof value === 'object' && !Array.isArray(value) ? value['direction'] : undefined;
  if (stated === 'inbound' || stated === 'outbound') return stated;
  return inboundEvents.has(stripEventPrefix(canonicalEvent(property))) ? 'inbound' : 'outbound';
}

/** Returns a property without the prefix of events. */
export function stripEventPrefix(property: string): string {
  return property.startsWith(EVENT_PREFIX) ? property.slice(EVENT_PREFIX.length) : property;
}
