import { EVENT_PREFIX, type ObservationKind } from '#domain/observation/observation.js';
import { canonicalEvent, canonicalProperty, listEventNames } from '#domain/properties/registry.js';

/** Properties of a scope, as the log may contain them. */
export interface ScopePropertyNames {
  /** Property prefixes; an empty prefix matches all. */
  readonly prefixes: readonly string[];
  /** Alias to use in the response by canonical name, if the request used an alias. */
  readonly requestedNames: ReadonlyMap<string, string>;
}

/**
 * Resolves the property of a scope: a prefix stays as it is, an event gets all its names, an alias its canonical name.
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

/** Returns whether a property is of a kind. */
export function isOfKind(property: string, kind: ObservationKind | undefined): boolean {
  return kind === undefined || property.startsWith(EVENT_PREFIX) === (kind === 'event');
}
