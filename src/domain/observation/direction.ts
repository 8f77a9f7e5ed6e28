import { canonicalEvent } from '#domain/properties/registry.js';
import { EVENT_PREFIX, type JsonValue } from './observation.js';

/** Who turned to whom in an interaction, seen from the workspace. */
export type Direction = 'inbound' | 'outbound';

/** Events in which the other side acts. Everything else is ours, or goes for ours until it says otherwise. */
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

/** The direction of an event: what its value says under `direction`, else what its type implies. */
export function resolveDirection(property: string, value: JsonValue): Direction {
  const stated = value !== null && typeof value === 'object' && !Array.isArray(value) ? value['direction'] : undefined;
  if (stated === 'inbound' || stated === 'outbound') return stated;
  return inboundEvents.has(stripEventPrefix(canonicalEvent(property))) ? 'inbound' : 'outbound';
}

/** A property as people say it: without the namespace of events. */
export function stripEventPrefix(property: string): string {
  return property.startsWith(EVENT_PREFIX) ? property.slice(EVENT_PREFIX.length) : property;
}
