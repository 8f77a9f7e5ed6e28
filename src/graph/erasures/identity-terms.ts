import { toPersonalTerms, type PersonalTerms } from '#domain/erasure/personal-terms.js';
import { type Identifier, parseFocus, toIdentifier } from '#domain/identity/focus.js';
import { composeName, nameKey } from '#domain/identity/names.js';
import type { Tx } from '#kernel/db/transaction.js';
import { findOwners, identifierKey } from '../identity/identifiers.queries.js';
import { readIdentifiersOf } from '../identity/links.queries.js';
import { readRetractedIdentifiers } from '../identity/retracted.queries.js';
import { findSharedNames, readStatedValues } from './person.queries.js';

/** What identifies a person, in records and in texts. */
export interface Identity {
  readonly identifiers: readonly Identifier[];
  readonly terms: PersonalTerms;
}

/**
 * Reads what identifies the person that these entities are. Names that others in the workspace have, too, and addresses
 * of others are no terms.
 */
export async function readIdentity(tx: Tx, ids: readonly string[]): Promise<Identity> {
  const current = await readIdentifiersOf(tx, ids);
  const [former, stated] = [await readRetractedIdentifiers(tx, ids), await readStatedValues(tx, ids)];
  const identifiers = [...current, ...former];
  const values = [...stated, ...composeNames(stated)];
  const terms = toPersonalTerms({ identifiers, values });
  const shared = await findSharedNames(tx, terms.names.map(nameKey), ids);
  const foreign = await findForeignKeys(tx, terms, ids);
  const named = terms.names.filter(name => !shared.has(nameKey(name)));
  const isOwn = (text: string) => !foreign.has(toKey(text) ?? '');
  return {
    identifiers,
    terms: {
      ...terms,
      names: named,
      emails: terms.emails.filter(isOwn),
      profiles: terms.profiles.filter(profile => isOwn(`linkedin.com/${profile}`)),
    },
  };
}

/** Returns the full names that first and last names make. */
function composeNames(stated: readonly { readonly property: string; readonly value: unknown }[]) {
  const textsOf = (property: string) =>
    stated.flatMap(each => (each.property === property && typeof each.value === 'string' ? [each.value] : []));
  return textsOf('first_name')
    .slice(0, 10)
    .flatMap(first =>
      textsOf('last_name')
        .slice(0, 10)
        .map(last => ({ property: 'name', value: composeName(first, last) })),
    );
}

/** Returns the keys of the terms that are identifiers of others, such as a disputed address. */
async function findForeignKeys(
  tx: Tx,
  { emails, profiles }: PersonalTerms,
  ids: readonly string[],
): Promise<Set<string>> {
  const identifiers = [...emails, ...profiles.map(profile => `linkedin.com/${profile}`)].flatMap(parseIdentifier);
  const owners = await findOwners(tx, identifiers);
  return new Set(
    [...owners].flatMap(([key, owner]) => (ids.includes(owner.id) || ids.includes(owner.canonicalId) ? [] : [key])),
  );
}

/** Returns the identifier that a text is; none for any other text. */
export function parseIdentifier(text: string): Identifier[] {
  const focus = parseFocus(text);
  return focus.form === 'email' || focus.form === 'linkedin' ? [toIdentifier(focus)] : [];
}

function toKey(text: string): string | undefined {
  return parseIdentifier(text).map(identifierKey)[0];
}
