import { EMAIL_STATUS_WORDS, EVENT_ALIASES, PROPERTY_ALIASES } from './aliases.data.js';
import { type StageGroup, STAGES } from './stages.data.js';

export type { StageGroup } from './stages.data.js';

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
const stages = new Map(
  Object.entries(STAGES).flatMap(([group, words]) => words.map(word => [word, group as StageGroup] as const)),
);

/** The name under which a state property is stored and claimed: `job_title` is `title`. Others are their own. */
export function canonicalProperty(name: string): string {
  return properties.get(name) ?? name;
}

/** The other names of a canonical state property; none for one that has no other or is itself an alias. */
export function aliasesOf(canonical: string): readonly string[] {
  return propertyAliases.get(canonical) ?? NONE;
}

/**
 * What an event counts as: `interaction.email_received` as `interaction.email_replied`. Others count as themselves.
 * @param value its details, where they are at hand: a `linkedin_message` that says `direction: "inbound"` is a reply.
 */
export function canonicalEvent(property: string, value?: unknown): string {
  if (property === LINKEDIN_MESSAGE && isInbound(value)) return LINKEDIN_REPLIED;
  return events.get(property) ?? property;
}

function isInbound(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'direction' in value && value.direction === 'inbound';
}

/** Every property, the canonical one first, under which the log may hold what counts as this event. */
export function listEventNames(canonical: string): readonly string[] {
  return [canonical, ...(eventAliases.get(canonical) ?? NONE)];
}

/** Our word for the state of an e-mail address, whatever its case; a word that is not known stays as it is. */
export function canonicalEmailStatus(word: string): string {
  return statusWords.get(word.trim().toLowerCase()) ?? word;
}

/** Where in a sale a stage stands, whatever its case and separators ("Meeting booked"); undefined for free words. */
export function stageGroup(stage: string): StageGroup | undefined {
  return stages.get(stage) ?? stages.get(normalizeStage(stage));
}

function normalizeStage(stage: string): string {
  return stage
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
