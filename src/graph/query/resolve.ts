import { isOfKind, namesWanted } from '#domain/query/names.js';
import type { ObservationFilter, Scope } from '#domain/query/query.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { Ambiguous, FinderService } from '../identity/finder.service.js';
import { holdersOf } from '../notes/notes.list.queries.js';
import { readNames } from './query.queries.js';
import type { ResolvedScope } from './stream-sql.js';

/** A scope with its names looked up, and what canonical properties are called in the answer. */
export type Resolved = ResolvedScope & { readonly asked: ReadonlyMap<string, string> };

/**
 * Looks up what a scope names: the properties that the log has of it, and whom it is about: an entity with all that was
 * merged into it, a company with its people. For a name that several bear, the candidates.
 * @throws HubError `entity_not_found`, `invalid_focus`.
 */
export async function resolveScope(
  tx: Tx,
  finder: FinderService,
  scope: Scope,
  filter?: ObservationFilter,
): Promise<Resolved | Ambiguous> {
  const { prefixes, asked } = namesWanted(scope.property, scope.kind);
  const [names, found] = await Promise.all([
    readNames(tx, prefixes),
    scope.entity === undefined ? undefined : finder.find(tx, scope.entity),
  ]);
  if (typeof found === 'object') return found;
  const wanted = filter?.property?.flatMap(name => namesWanted(name, scope.kind).prefixes);
  const properties = names.filter(
    name => isOfKind(name, scope.kind) && (wanted === undefined || wanted.includes(name)),
  );
  const anyProperty = [scope.property, scope.kind, wanted].every(each => each === undefined);
  return {
    scope,
    properties,
    anyProperty,
    asked,
    members: found === undefined ? undefined : await holdersOf(tx, [found]),
  };
}
