/** Aliases of state properties, by canonical name. All are accepted wherever a property is named. */
export const PROPERTY_ALIASES = {
  title: ['job_title'],
  stage: ['pipeline_stage', 'deal_stage'],
  callback_at: ['callback', 'callback_date', 'follow_up_at', 'follow_up_date'],
  stage_type: ['deal_status', 'opportunity_status', 'stage_status'],
  headcount: ['employee_count', 'company_size'],
  technologies: ['tech_stack'],
  email_status: ['reachability_status'],
} as const satisfies Record<string, readonly string[]>;

/** Aliases of event types, by canonical name. The log stores the name as written; counts use the canonical one. */
export const EVENT_ALIASES = {
  email_replied: ['email_reply', 'email_received'],
  connection_accepted: ['linkedin_connected', 'linkedin_connection_accepted'],
  linkedin_replied: ['linkedin_message_received'],
  linkedin_message_sent: ['linkedin_message'],
  page_visited: ['website_visit', 'pricing_page_visit'],
} as const satisfies Record<string, readonly string[]>;

/** Canonical statuses for the words of e-mail verifiers. Any other word stays as it is. */
export const EMAIL_STATUS_WORDS = {
  deliverable: 'valid',
  valid: 'valid',
  risky: 'risky',
  unavailable: 'invalid',
  undeliverable: 'invalid',
  invalid: 'invalid',
  bounced: 'bounced',
  unsubscribed: 'unsubscribed',
} as const satisfies Record<string, string>;

export { stageGroup } from './stages.js';
export type { StageGroup } from './stages.js';

const EVENT_PREFIX = 'interaction.';
const LINKEDIN_MESSAGE = `${EVENT_PREFIX}linkedin_message`;
const LINKEDIN_REPLIED = `${EVENT_PREFIX}linkedin_replied`;
const NONE: readonly string[] = [];

const buildCanonicalMap = (
  aliases: Readonly<Record<string, readonly string[]>>,
  prefix = '',
): ReadonlyMap<string, string> =>
  new Map(Object.entries(aliases).flatMap(([name, all]) => all.map(alias => [prefix + alias, prefix + name] as const)));

const buildAliasMap = (aliases: Readonly<Record<string, readonly string[]>>, prefix = '') =>
  new Map(Object.entries(aliases).map(([name, all]) => [prefix + name, all.map(alias => prefix + alias)]));

const properties = buildCanonicalMap(PROPERTY_ALIASES);
const events = buildCanonicalMap(EVENT_ALIASES, EVENT_PREFIX);
const propertyAliases = buildAliasMap(PROPERTY_ALIASES);
const eventAliases = buildAliasMap(EVENT_ALIASES, EVENT_PREFIX);
const statusWords: ReadonlyMap<string, string> = new Map(Object.entries(EMAIL_STATUS_WORDS));

/**
 * Returns the name under which a state property is stored: `title` for `job_title`. Names that are no alias are
 * returned unchanged.
 */
export function canonicalProperty(name: string): string {
  return properties.get(name) ?? name;
}

/** Returns the aliases of a canonical state property. */
export function aliasesOf(canonical: string): readonly string[] {
  return propertyAliases.get(canonical) ?? NONE;
}

/**
 * Returns the canonical event: `interaction.email_replied` for `interaction.email_received`. Names that are no alias
 * are returned unchanged.
 * @param value details of the event, if available: a `linkedin_message` with `direction: "inbound"` is a reply.
 */
export function canonicalEvent(property: string, value?: unknown): string {
  if (property === LINKEDIN_MESSAGE && isInbound(value)) return LINKEDIN_REPLIED;
  return events.get(property) ?? property;
}

function isInbound(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'direction' in value && value.direction === 'inbound';
}

/** Returns all properties, the canonical one first, under which the log may contain this event. */
export function listEventNames(canonical: string): readonly string[] {
  return [canonical, ...(eventAliases.get(canonical) ?? NONE)];
}

/** Returns the canonical status of an e-mail address, ignoring case; unknown words are returned unchanged. */
export function canonicalEmailStatus(word: string): string {
  return statusWords.get(word.trim().toLowerCase()) ?? word;
}
