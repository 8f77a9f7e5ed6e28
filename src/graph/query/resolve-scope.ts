import { isOfKind, resolvePropertyNames } from '#domain/query/property-names.js';
import type { ObservationFilter, ObservationScope } from '#domain/query/query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { readNoteHolderIds } from '../notes/notes-list.queries.js';
import { readPropertyNames } from './query.queries.js';
import type { ResolvedScope } from './corpus-sql.js';

/** A scope with its names looked up, and what canonical properties are called in the answer. */
export type ScopeWithNames = ResolvedScope & { readonly asked: ReadonlyMap<string, string> };

/**
 * Looks up what a scope names: the properties that the log has of it, and whom it is about: an entity with all that was
 * merged into it, a company with its people. For a name that several bear, the candidates.
 * @throws HubError `entity_not_found`, `invalid_focus`.
 */
export async function resolveScope(
  tx: Tx,
  entities: EntityResolverService,
  scope: ObservationScope,
  filter?: ObservationFilter,
): Promise<ScopeWithNames | AmbiguousName> {
  const { prefixes, requestedNames } = resolvePropertyNames(scope.property, scope.kind);
  const [names, found] = await Promise.all([
    readPropertyNames(tx, prefixes),
    scope.entity === undefined ? undefined : entities.resolve(tx, scope.entity),
  ]);
  if (typeof found === 'object') return found;
  const wanted = filter?.property?.flatMap(name => resolvePropertyNames(name, scope.kind).prefixes);
  const properties = names.filter(
    name => isOfKind(name, scope.kind) && (wanted === undefined || wanted.includes(name)),
  );
  const anyProperty = [scope.property, scope.kind, wanted].every(each => each === undefined);
  return {
    scope,
    properties,
    anyProperty,
    asked: requestedNames,
    members: found === undefined ? undefined : await readNoteHolderIds(tx, [found]),
  };
}
