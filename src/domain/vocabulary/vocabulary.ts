import { ASSESSED_PROPERTIES } from '../attention/attention-entity.js';
import { CALLBACK_PROPERTY, COMMITMENT_PREFIX } from '../attention/dated-items.js';
import { PRESETS } from '../context/intents.js';
import { TASK_PROPERTIES } from '../context/compose-context.js';
import { DECIDING_PROPERTIES } from '../dedup/contact-status.js';
import { type Direction, resolveDirection } from '../observation/interaction-events.js';
import { EVENT_PREFIX } from '../observation/observation.js';
import { aliasesOf, listEventNames } from '../properties/registry.js';
import { ALWAYS_REQUIRED } from '../score/missing-facts.js';
import { EVENT_DESCRIPTIONS, PROPERTY_DESCRIPTIONS, type PropertyDescription } from './vocabulary.data.js';

/** Part of the service that reads certain properties by name. */
export type VocabularyReader = 'score' | 'attention' | 'context' | 'dedup';

/** A property that the service interprets. */
export interface VocabularyProperty {
  /** Canonical name. `action_item.<id>` stands for any name with that beginning. */
  readonly name: string;
  /** Type of the value, in words. */
  readonly type: string;
  readonly description: string;
  /** Types of the entities that it is stated about. */
  readonly on: readonly ('person' | 'company')[];
  /** Other names that are accepted and stored under the canonical one. */
  readonly aliases: readonly string[];
  /** What reads it whatever the scoring model says. A rule of the model can read any property. */
  readonly read_by: readonly VocabularyReader[];
}

/** A type of interaction that the service interprets. */
export interface VocabularyEvent {
  /** Property to record it under: `interaction.` and the type. */
  readonly name: string;
  readonly description: string;
  /** Other names that count as the same. */
  readonly aliases: readonly string[];
  /** Who acted, unless the value has a `direction`. */
  readonly direction: Direction;
}

/** The names that mean something to the service. */
export interface Vocabulary {
  readonly properties: readonly VocabularyProperty[];
  readonly events: readonly VocabularyEvent[];
}

const intentProperties = Object.values(PRESETS).flatMap(({ boosted }) =>
  [...boosted].map(name => name.replace(/^company\./, '')),
);

/** Names that each reader looks up, from the definitions that it uses itself. */
const READ_PROPERTIES: Readonly<Record<VocabularyReader, ReadonlySet<string>>> = {
  score: new Set(ALWAYS_REQUIRED),
  attention: new Set([...ASSESSED_PROPERTIES, CALLBACK_PROPERTY, `${COMMITMENT_PREFIX}<id>`]),
  context: new Set([...intentProperties, ...TASK_PROPERTIES]),
  dedup: new Set(DECIDING_PROPERTIES),
};

/** Returns the names that mean something to the service, in the order of the documentation. */
export function listVocabulary(): Vocabulary {
  return {
    properties: Object.entries(PROPERTY_DESCRIPTIONS).map(([name, described]) => toProperty(name, described)),
    events: Object.entries(EVENT_DESCRIPTIONS).map(([type, description]) => toEvent(type, description)),
  };
}

/** Returns the names that a reader looks up. */
export function listReadProperties(): ReadonlySet<string> {
  return new Set(Object.values(READ_PROPERTIES).flatMap(names => [...names]));
}

function toProperty(name: string, { type, description, on = ['person'] }: PropertyDescription): VocabularyProperty {
  const readers = Object.entries(READ_PROPERTIES).filter(([, names]) => names.has(name));
  return {
    name,
    type,
    description,
    on,
    aliases: aliasesOf(name),
    read_by: readers.map(([reader]) => reader as VocabularyReader),
  };
}

function toEvent(type: string, description: string): VocabularyEvent {
  const name = EVENT_PREFIX + type;
  return { name, description, aliases: listEventNames(name).slice(1), direction: resolveDirection(name, null) };
}
