import type { InteractionRecord, EntitySummary, Json } from '@rapport/plugin-sdk';

/** Name of an event about somebody, which an interaction causes. */
export type InteractionEvent = InteractionRecord['event'];

/** All of them. */
export const INTERACTION_EVENTS = [
  'reply.received',
  'connection.accepted',
  'meeting.scheduled',
  'meeting.cancelled',
] as const satisfies readonly InteractionEvent[];

/** Names of events about runs of plugins: one that keeps the graph in step with a provider failed, or another one. */
export const RUN_EVENTS = ['sync.failed', 'run.failed'] as const;

/** Name of an event about a run of a plugin. */
export type RunEvent = (typeof RUN_EVENTS)[number];

/** Name of an event that a trigger can be set for. */
export type TriggerEvent = InteractionEvent | RunEvent;

/** All of them. */
export const EVENTS = [...INTERACTION_EVENTS, ...RUN_EVENTS] as const;

/** By the names of the observations, which clients of other products use. */
const ALIASES: Readonly<Record<string, TriggerEvent>> = {
  'interaction.email_replied': 'reply.received',
  'interaction.email_received': 'reply.received',
  'interaction.linkedin_replied': 'reply.received',
  'interaction.linkedin_message_received': 'reply.received',
  'interaction.connection_accepted': 'connection.accepted',
  'interaction.linkedin_connection_accepted': 'connection.accepted',
  'interaction.meeting_scheduled': 'meeting.scheduled',
  'interaction.meeting_cancelled': 'meeting.cancelled',
};

/** The event of that name or alias. */
export function parseEventName(name: string): TriggerEvent | undefined {
  return EVENTS.find(event => event === name) ?? (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);
}

/** Condition of a claim; all given comparisons must hold. Texts are compared case-insensitively. */
export type Condition = {
  readonly eq?: Json;
  readonly ne?: Json;
  readonly in?: readonly Json[];
  /** Part of a text, or an entry of a list. */
  readonly contains?: string;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly exists?: boolean;
  /** 0 to 1. */
  readonly min_confidence?: number;
  /** Requires a fresh claim. */
  readonly fresh?: boolean;
};

/** Filter of the events of an endpoint. */
export type Filter = {
  /** By property. */
  readonly claims?: Readonly<Record<string, Condition>>;
  readonly entity_type?: 'person' | 'company';
  /** Sources of the observation. */
  readonly sources?: readonly string[];
};

/** Checks whether an event about an entity from a source passes the filter. */
export function matchesFilter(
  { claims = {}, entity_type, sources }: Filter,
  entity: EntitySummary,
  source: string,
): boolean {
  if (entity_type !== undefined && entity.type !== entity_type) return false;
  if (sources !== undefined && !sources.includes(source)) return false;
  return Object.entries(claims).every(([property, condition]) =>
    matchesCondition(condition, findClaim(entity, property)),
  );
}

type Claim = EntitySummary['claims'][string];

function findClaim({ claims }: EntitySummary, property: string): Claim | undefined {
  return Object.hasOwn(claims, property) ? claims[property] : undefined;
}

function matchesCondition(condition: Condition, claim: Claim | undefined): boolean {
  const { exists = true, min_confidence = 0, fresh = false, ...comparisons } = condition;
  if (!claim || claim.value === null) {
    return !exists || (Object.keys(comparisons).length > 0 && isNegativeOnly(comparisons));
  }
  if (!exists) return false;
  if (claim.confidence < min_confidence || (fresh && claim.freshness !== 'fresh')) return false;
  return matchesComparisons(comparisons, claim.value);
}

/** A missing claim satisfies only `ne`. */
function isNegativeOnly(comparisons: Condition): boolean {
  return Object.keys(comparisons).every(name => name === 'ne');
}

function matchesComparisons({ eq, ne, in: among, contains, gt, gte, lt, lte }: Condition, value: Json): boolean {
  const number = typeof value === 'number' ? value : NaN;
  return (
    (eq === undefined || isEqual(value, eq)) &&
    (ne === undefined || !isEqual(value, ne)) &&
    (among === undefined || among.some(each => isEqual(value, each))) &&
    (contains === undefined || containsText(value, contains)) &&
    (gt === undefined || number > gt) &&
    (gte === undefined || number >= gte) &&
    (lt === undefined || number < lt) &&
    (lte === undefined || number <= lte)
  );
}

function isEqual(a: Json, b: Json): boolean {
  return toComparable(a) === toComparable(b);
}

function containsText(value: Json, part: string): boolean {
  if (Array.isArray(value)) return value.some(each => isEqual(each as Json, part));
  return typeof value === 'string' && value.toLowerCase().includes(part.toLowerCase());
}

function toComparable(value: Json): string {
  return JSON.stringify(typeof value === 'string' ? value.toLowerCase() : value);
}
