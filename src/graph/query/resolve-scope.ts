import { isOfKind, resolvePropertyNames } from '#domain/query/property-names.js';
import type { ObservationFilter, ObservationScope } from '#domain/query/query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { readNoteHolderIds } from '../notes/notes-list.queries.js';
import { readPropertyNames } from './query.queries.js';
import type { ResolvedScope } from './corpus-sql.js';

/** A resolved scope, with the caller's names by canonical property. */
export type ScopeWithNames = ResolvedScope & { readonly requestedNames: ReadonlyMap<string, string> };

/**
 * Resolves a scope: its property names to those in the log, and its entity to the IDs of the cluster and, for a company,
 * of its people. Returns the candidates if a name matches several entities.
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
  const filtered = filter?.property?.flatMap(name => resolvePropertyNames(name, scope.kind).prefixes);
  const properties = names.filter(
    name => isOfKind(name, scope.kind) && (filtered === undefined || filtered.includes(name)),
  );
  const anyProperty = [scope.property, scope.kind, filtered].every(each => each === undefined);
  return {
    scope,
    properties,
    anyProperty,
    requestedNames,
    members: found === undefined ? undefined : await readNoteHolderIds(tx, [found]),
  };
}
