import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import {
  entityTypeOf,
  identifierOf,
  type Identifier,
  type IdentifierFocus,
  parseFocus,
  type PreciseFocus,
} from '#domain/identity/focus.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { workDomainOf } from '#domain/identity/mailboxes.js';
import type { Activity } from '#domain/observation/activity.js';
import type { Tx } from '#kernel/db/transaction.js';
import { OwnDomains } from '../facts/own-domains.js';
import {
  createIdentifiers,
  findOwners,
  type Handle,
  handleOf,
  handleOfId,
  keepChanges,
  type Owner,
  type WantedIdentifier,
} from './identifiers.queries.js';
import { KnownOwners } from './known-owners.js';

/** Whom a write is about, and the other identifiers that it states for them. */
export interface Subject {
  readonly focus: PreciseFocus;
  readonly alsoKnownAs: readonly IdentifierFocus[];
  /** How reliable whoever states one of them is, 0 to 1; asked only when it belongs to somebody else. Default 1. */
  readonly reliabilityOf?: (alias: IdentifierFocus, rules: ClaimRules) => number;
  /** Owners that are known already; null: nobody. Whoever is not in it is looked up. */
  readonly owners?: LookedUp | undefined;
}

/** What a look-up has found: the owner of each handle, null where there is none. */
export type LookedUp = ReadonlyMap<Handle, Owner | null>;

/** Somebody else who has an identifier that is stated for an entity. */
export interface Rival {
  readonly identifier: Identifier;
  readonly owner: Owner;
  /** Of the statement, 0 to 1, by the rules of the workspace. */
  readonly reliability: (rules: ClaimRules) => number;
}

/** The entity of a subject. */
export interface ResolvedEntity extends Owner {
  /** The entity did not exist before this transaction. */
  readonly created: boolean;
  /** The employer, when a work e-mail address became known for the entity just now. */
  readonly employer: Employer | undefined;
  /** Others who have what was stated for it; mostly none. They may turn out to be the same. */
  readonly rivals: readonly Rival[];
}

/** A company, as a work e-mail address names it. */
export interface Employer {
  readonly id: string;
  readonly domain: string;
}

/** What a batch changes about entities themselves, by their ids. */
export interface EntityChanges {
  /** Null where the name has ended. */
  readonly names: ReadonlyMap<string, string | null>;
  readonly activity: ReadonlyMap<string, Activity>;
  /** The companies that people were found to work for. */
  readonly companies: ReadonlyMap<string, string>;
}

/** Finds and makes entities by their identifiers. */
@Injectable()
export class IdentityService {
  constructor(
    private readonly own: OwnDomains,
    private readonly known: KnownOwners,
  ) {}

  /**
   * The entities of these subjects, in their order; those that no identifier names yet are made, and so is the company
   * that a new work e-mail address names. Undefined where a subject is an id that nobody has.
   * One statement when everybody is known, none when the caller knows them.
   * @param more the transaction will write identifiers once more.
   */
  async resolveOrCreate(tx: Tx, subjects: readonly Subject[], more = false): Promise<(ResolvedEntity | undefined)[]> {
    const owners = await ownersOf(tx, subjects);

    const newcomers = subjects.flatMap(({ focus }) => (focus.form === 'uuid' ? [] : [focus])).filter(unknownTo(owners));
    const alone = newcomers.length > 0 && (more || subjects.some(s => s.alsoKnownAs.some(unknownTo(owners))));
    const makers = distinct(newcomers.map(asNewEntity));
    const met = await this.takeIn(tx, [...makers, ...aliasesOf(subjects, owners, makers)], owners, alone);
    const learnt = await this.takeIn(tx, aliasesOf(subjects, owners), owners, alone);

    tx.afterCommit(() => this.known.keep(tx.workspace, owners));

    const fresh = met.union(learnt);
    const employers = employersOf(
      [...newcomers, ...subjects.flatMap(s => s.alsoKnownAs)].filter(focus => fresh.has(handleOfFocus(focus))),
      owners,
      this.own.of(tx.workspace),
    );
    return subjects.map(subject => {
      const handle = handleOfFocus(subject.focus);
      const owner = owners.get(handle);
      if (!owner) return undefined;
      const rivals = rivalsOf(subject, owner, owners);
      return { ...owner, created: met.delete(handle), employer: employers.get(owner.id), rivals };
    });
  }

  /**
   * What this process remembers of whom a focus names, for {@link Subject.owners}. Only for who sees, once the entity is
   * locked, whether it still belongs to the same cluster, and calls {@link forget} if not.
   */
  recall(workspace: string, focus: PreciseFocus): LookedUp | undefined {
    const handle = handleOfFocus(focus);
    const owner = this.known.of(workspace, handle);
    return owner && new Map([[handle, owner]]);
  }

  /** Has these looked up again next time. */
  forget(workspace: string, focuses: readonly PreciseFocus[]): void {
    for (const focus of focuses) this.known.forget(workspace, handleOfFocus(focus));
  }

  /** Keeps what observations change about entities themselves. Sent with COMMIT. */
  keepChanges(tx: Tx, { names, activity, companies }: EntityChanges): void {
    const none: Activity = { first: null, last: null, lastInbound: null };
    const ids = new Set([...names.keys(), ...activity.keys(), ...companies.keys()]);
    keepChanges(
      tx,
      [...ids].map(id => ({ id, name: names.get(id), company: companies.get(id), ...(activity.get(id) ?? none) })),
    );
  }

  /** Writes what is wanted, with the employers' domains, and completes `owners`. @returns the handles that are new. */
  private async takeIn(
    tx: Tx,
    wanted: readonly WantedIdentifier[],
    owners: Map<Handle, Owner>,
    alone: boolean,
  ): Promise<Set<Handle>> {
    const own = this.own.of(tx.workspace);
    const employers = wanted.flatMap(identifier => employerOf(identifier, own));
    const companies = employers.filter(unknownTo(owners)).map(asNewEntity);
    const all = distinct([...wanted, ...companies]);
    if (all.length === 0) return new Set();
    const taken = await createIdentifiers(tx, all, alone);
    for (const { handle, owner } of taken) owners.set(handle, owner);
    const lost = all.filter(identifier => !owners.has(handleOf(identifier)));
    if (lost.length > 0) for (const [handle, owner] of await findOwners(tx, lost)) owners.set(handle, owner);
    return new Set(taken.filter(({ isNew }) => isNew).map(({ handle }) => handle));
  }
}

/** The owners of all that subjects name: what their callers know of them, and one look-up for the rest. */
async function ownersOf(tx: Tx, subjects: readonly Subject[]): Promise<Map<Handle, Owner>> {
  const known = new Map<Handle, Owner>();
  const open = subjects.flatMap(({ focus, alsoKnownAs, owners }) =>
    [focus, ...alsoKnownAs].filter(named => {
      const owner = owners?.get(handleOfFocus(named));
      if (owner) known.set(handleOfFocus(named), owner);
      return owner === undefined;
    }),
  );
  if (open.length === 0) return known;
  const identifiers = open.flatMap(focus => (focus.form === 'uuid' ? [] : [identifierOf(focus)]));
  const ids = open.flatMap(focus => (focus.form === 'uuid' ? [focus.id] : []));
  const found = await findOwners(tx, identifiers, ids);
  for (const [handle, owner] of known) if (!found.has(handle)) found.set(handle, owner);
  return found;
}

/** The handle of what a focus names. */
export function handleOfFocus(focus: PreciseFocus): Handle {
  return focus.form === 'uuid' ? handleOfId(focus.id) : handleOf(identifierOf(focus));
}

function unknownTo(owners: ReadonlyMap<Handle, Owner>): (focus: IdentifierFocus) => boolean {
  return focus => !owners.has(handleOfFocus(focus));
}

function asNewEntity(focus: IdentifierFocus): WantedIdentifier {
  return { ...identifierOf(focus), entityId: newId(), makes: entityTypeOf(focus) };
}

/** The identifiers that subjects bring along and nobody has. @param makers of entities that are about to be made. */
function aliasesOf(
  subjects: readonly Subject[],
  owners: ReadonlyMap<Handle, Owner>,
  makers: readonly WantedIdentifier[] = [],
): WantedIdentifier[] {
  const made = new Map(makers.map(maker => [handleOf(maker), maker.entityId]));
  return subjects.flatMap(({ focus, alsoKnownAs }) => {
    const handle = handleOfFocus(focus);
    const entityId = owners.get(handle)?.id ?? made.get(handle);
    if (entityId === undefined) return [];
    const open = alsoKnownAs.filter(alias => unknownTo(owners)(alias) && !made.has(handleOfFocus(alias)));
    return open.map(alias => ({ ...identifierOf(alias), entityId, makes: null }));
  });
}

function rivalsOf(
  { alsoKnownAs, reliabilityOf = () => 1 }: Subject,
  entity: Owner,
  owners: ReadonlyMap<Handle, Owner>,
): Rival[] {
  return alsoKnownAs.flatMap(alias => {
    const owner = owners.get(handleOfFocus(alias));
    if (!owner || owner.canonicalId === entity.canonicalId) return [];
    return [{ identifier: identifierOf(alias), owner, reliability: rules => reliabilityOf(alias, rules) }];
  });
}

/** @param own domains of the workspace itself: who has an address there is a colleague. */
function employerOf(identifier: Identifier, own: ReadonlySet<string>): IdentifierFocus[] {
  const email = identifier.kind === 'email' ? parseFocus(identifier.value) : undefined;
  const domain = email?.form === 'email' ? workDomainOf(email) : undefined;
  const focus = domain === undefined || own.has(domain) ? undefined : parseFocus(domain);
  return focus?.form === 'domain' ? [focus] : [];
}

/** The employer by person, for the e-mail addresses that are new. */
function employersOf(
  foci: readonly IdentifierFocus[],
  owners: ReadonlyMap<Handle, Owner>,
  own: ReadonlySet<string>,
): Map<string, Employer> {
  const employers = new Map<string, Employer>();
  for (const focus of foci) {
    const [employer] = employerOf(identifierOf(focus), own);
    const person = owners.get(handleOfFocus(focus));
    if (employer && person) {
      const { canonicalId: id } = owners.get(handleOfFocus(employer))!;
      employers.set(person.id, { id, domain: employer.key });
    }
  }
  return employers;
}

function distinct(wanted: readonly WantedIdentifier[]): WantedIdentifier[] {
  return [...new Map(wanted.toReversed().map(w => [handleOf(w), w])).values()];
}
