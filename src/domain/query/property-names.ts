import { EVENT_PREFIX, type ObservationKind } from '#domain/observation/observation.js';
import { canonicalEvent, canonicalProperty, listEventNames } from '#domain/properties/registry.js';

/** Which properties a scope asks for, as the log may hold them. */
export interface ScopePropertyNames {
  /** Beginnings; every property that begins with one of them is meant. Empty text: all. */
  readonly prefixes: readonly string[];
  /** What a canonical property is called in the answer, because it was asked for by an alias. */
  readonly requestedNames: ReadonlyMap<string, string>;
}

/**
 * The properties that a scope means: a beginning as it is, an event with its other names, an alias by the canonical name.
 * `email_replied` with the kind `event` is `interaction.email_replied`.
 */
export function resolvePropertyNames(
  property: string | undefined,
  kind: ObservationKind | undefined,
): ScopePropertyNames {
  if (property === undefined || property === '') {
    return { prefixes: [kind === 'event' ? EVENT_PREFIX : ''], requestedNames: new Map() };
  }
  const named = kind === 'event' && !property.startsWith('interaction') ? EVENT_PREFIX + property : property;
  if (named.startsWith(EVENT_PREFIX)) {
    return { prefixes: [...new Set([named, ...listEventNames(canonicalEvent(named))])], requestedNames: new Map() };
  }
  const canonical = canonicalProperty(named);
  return canonical === named
    ? { prefixes: [named], requestedNames: new Map() }
    : { prefixes: [named, canonical], requestedNames: new Map([[canonical, named]]) };
}

/** Whether a property is of a kind. */
export function isOfKind(property: string, kind: ObservationKind | undefined): boolean {
  return kind === undefined || property.startsWith(EVENT_PREFIX) === (kind === 'event');
}
