import { type IdentifierFocus, type PreciseFocus, toIdentifier } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { isErased } from './erased.queries.js';
import { focusKey } from './focus-key.js';
import { type IdentifierKey, identifierKey, type Owner } from './identifiers.queries.js';
import type { SuppressionService } from './suppression.service.js';

/** What a reference names. */
interface Named {
  readonly focus: PreciseFocus;
  readonly alsoKnownAs: readonly IdentifierFocus[];
}

/**
 * Returns the errors of the references that name an erased person: `identifier_erased`, or `entity_erased` for an id.
 * No statement unless people of the workspace were erased.
 * @param owners owners of the identifiers that are known.
 */
export async function refuseErased<Reference extends Named>(
  tx: Tx,
  suppression: SuppressionService,
  references: readonly Reference[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
): Promise<ReadonlyMap<Reference, HubError>> {
  const refused = new Map<Reference, HubError>();
  if (!suppression.hasErasures(tx.workspace)) return refused;
  const unknownOf = ({ focus, alsoKnownAs }: Reference) =>
    [focus, ...alsoKnownAs].flatMap(each =>
      each.form === 'uuid' || owners.has(focusKey(each)) ? [] : [toIdentifier(each)],
    );
  const erased = await suppression.findErased(tx, references.flatMap(unknownOf));
  for (const reference of references) {
    const { focus } = reference;
    if (unknownOf(reference).some(each => erased.has(identifierKey(each))))
      refused.set(reference, new HubError('identifier_erased'));
    else if (focus.form === 'uuid' && !owners.has(focusKey(focus)) && (await isErased(tx, focus.id)))
      refused.set(reference, new HubError('entity_erased'));
  }
  return refused;
}
