import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import {
  entityTypeOf,
  toIdentifier,
  type Identifier,
  type IdentifierFocus,
  parseFocus,
  type PreciseFocus,
} from '#domain/identity/focus.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { findWorkDomain } from '#domain/identity/mailboxes.js';
import type { Activity } from '#domain/observation/activity.js';
import type { Tx } from '#kernel/db/transaction.js';
import { OwnDomainsCache } from '../facts/own-domains.cache.js';
import {
  createIdentifiers,
  findOwners,
  type IdentifierKey,
  identifierKey,
  entityIdKey,
  updateEntities,
  type Owner,
  type NewIdentifier,
} from './identifiers.queries.js';
import { OwnerCache } from './owner.cache.js';

/** Whom a write is about, and the other identifiers that it states for them. */
export interface EntityReference {
  readonly focus: PreciseFocus;
  readonly alsoKnownAs: readonly IdentifierFocus[];
  /** How reliable whoever states one of them is, 0 to 1; asked only when it belongs to somebody else. Default 1. */
  readonly reliabilityOf?: (alias: IdentifierFocus, rules: ClaimRules) => number;
  /** Owners that are known already; null: nobody. Whoever is not in it is looked up. */
  readonly owners?: OwnerMap | undefined;
}

/** What a look-up has found: the owner of each handle, null where there is none. */
export type OwnerMap = ReadonlyMap<IdentifierKey, Owner | null>;

/** Somebody else who has an identifier that is stated for an entity. */
export interface ConflictingOwner {
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
  readonly conflicts: readonly ConflictingOwner[];
}

/** A company, as a work e-mail address names it. */
export interface Employer {
  readonly id: string;
  readonly domain: string;
}

/** What a batch changes about entities themselves, by their ids. */
export interface EntityUpdates {
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
    private readonly ownDomains: OwnDomainsCache,
    private readonly ownerCache: OwnerCache,
  ) {}

  /**
   * The entities of these subjects, in their order; those that no identifier names yet are made, and so is the company
   * that a new work e-mail address names. Undefined where a subject is an id that nobody has.
   * One statement when everybody is known, none when the caller knows them.
   * @param willWriteMore the transaction will write identifiers once more.
   */
  async resolveOrCreate(
    tx: Tx,
    references: readonly EntityReference[],
    willWriteMore = false,
  ): Promise<(ResolvedEntity | undefined)[]> {
    const owners = await lookUpOwners(tx, references);

    const newcomers = references
      .flatMap(({ focus }) => (focus.form === 'uuid' ? [] : [focus]))
      .filter(isUnknownIn(owners));
    const exclusive =
      newcomers.length > 0 && (willWriteMore || references.some(s => s.alsoKnownAs.some(isUnknownIn(owners))));
    const newEntities = uniqueByKey(newcomers.map(toNewIdentifier));
    const created = await this.createIdentifiers(
      tx,
      [...newEntities, ...toAliasIdentifiers(references, owners, newEntities)],
      owners,
      exclusive,
    );
    const learned = await this.createIdentifiers(tx, toAliasIdentifiers(references, owners), owners, exclusive);

    tx.afterCommit(() => this.ownerCache.set(tx.workspace, owners));

    const fresh = created.union(learned);
    const employers = mapEmployers(
      [...newcomers, ...references.flatMap(s => s.alsoKnownAs)].filter(focus => fresh.has(focusKey(focus))),
      owners,
      this.ownDomains.get(tx.workspace),
    );
    return references.map(subject => {
      const handle = focusKey(subject.focus);
      const owner = owners.get(handle);
      if (!owner) return undefined;
      const conflicts = findConflicts(subject, owner, owners);
      return { ...owner, created: created.delete(handle), employer: employers.get(owner.id), conflicts };
    });
  }

  /**
   * What this process remembers of whom a focus names, for {@link EntityReference.owners}. Only for who sees, once the entity is
   * locked, whether it still belongs to the same cluster, and calls {@link evict} if not.
   */
  getCachedOwner(workspace: string, focus: PreciseFocus): OwnerMap | undefined {
    const handle = focusKey(focus);
    const owner = this.ownerCache.get(workspace, handle);
    return owner && new Map([[handle, owner]]);
  }

  /** Has these looked up again next time. */
  evict(workspace: string, focuses: readonly PreciseFocus[]): void {
    for (const focus of focuses) this.ownerCache.evict(workspace, focusKey(focus));
  }

  /** Keeps what observations change about entities themselves. Sent with COMMIT. */
  updateEntities(tx: Tx, { names, activity, companies }: EntityUpdates): void {
    const none: Activity = { first: null, last: null, lastInbound: null };
    const ids = new Set([...names.keys(), ...activity.keys(), ...companies.keys()]);
    updateEntities(
      tx,
      [...ids].map(id => ({ id, name: names.get(id), company: companies.get(id), ...(activity.get(id) ?? none) })),
    );
  }

  /** Writes what is wanted, with the employers' domains, and completes `owners`. @returns the handles that are new. */
  private async createIdentifiers(
    tx: Tx,
    identifiers: readonly NewIdentifier[],
    owners: Map<IdentifierKey, Owner>,
    exclusive: boolean,
  ): Promise<Set<IdentifierKey>> {
    const own = this.ownDomains.get(tx.workspace);
    const employers = identifiers.flatMap(identifier => findEmployer(identifier, own));
    const companies = employers.filter(isUnknownIn(owners)).map(toNewIdentifier);
    const all = uniqueByKey([...identifiers, ...companies]);
    if (all.length === 0) return new Set();
    const taken = await createIdentifiers(tx, all, exclusive);
    for (const { key, owner } of taken) owners.set(key, owner);
    const lost = all.filter(identifier => !owners.has(identifierKey(identifier)));
    if (lost.length > 0) for (const [key, owner] of await findOwners(tx, lost)) owners.set(key, owner);
    return new Set(taken.filter(({ isNew }) => isNew).map(({ key }) => key));
  }
}

/** The owners of all that subjects name: what their callers know of them, and one look-up for the rest. */
async function lookUpOwners(tx: Tx, subjects: readonly EntityReference[]): Promise<Map<IdentifierKey, Owner>> {
  const known = new Map<IdentifierKey, Owner>();
  const open = subjects.flatMap(({ focus, alsoKnownAs, owners }) =>
    [focus, ...alsoKnownAs].filter(named => {
      const owner = owners?.get(focusKey(named));
      if (owner) known.set(focusKey(named), owner);
      return owner === undefined;
    }),
  );
  if (open.length === 0) return known;
  const identifiers = open.flatMap(focus => (focus.form === 'uuid' ? [] : [toIdentifier(focus)]));
  const ids = open.flatMap(focus => (focus.form === 'uuid' ? [focus.id] : []));
  const found = await findOwners(tx, identifiers, ids);
  for (const [handle, owner] of known) if (!found.has(handle)) found.set(handle, owner);
  return found;
}

/** The handle of what a focus names. */
export function focusKey(focus: PreciseFocus): IdentifierKey {
  return focus.form === 'uuid' ? entityIdKey(focus.id) : identifierKey(toIdentifier(focus));
}

function isUnknownIn(owners: ReadonlyMap<IdentifierKey, Owner>): (focus: IdentifierFocus) => boolean {
  return focus => !owners.has(focusKey(focus));
}

function toNewIdentifier(focus: IdentifierFocus): NewIdentifier {
  return { ...toIdentifier(focus), entityId: newId(), createsType: entityTypeOf(focus) };
}

/** The identifiers that subjects bring along and nobody has. @param makers of entities that are about to be made. */
function toAliasIdentifiers(
  subjects: readonly EntityReference[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
  makers: readonly NewIdentifier[] = [],
): NewIdentifier[] {
  const made = new Map(makers.map(maker => [identifierKey(maker), maker.entityId]));
  return subjects.flatMap(({ focus, alsoKnownAs }) => {
    const handle = focusKey(focus);
    const entityId = owners.get(handle)?.id ?? made.get(handle);
    if (entityId === undefined) return [];
    const open = alsoKnownAs.filter(alias => isUnknownIn(owners)(alias) && !made.has(focusKey(alias)));
    return open.map(alias => ({ ...toIdentifier(alias), entityId, createsType: null }));
  });
}

function findConflicts(
  { alsoKnownAs, reliabilityOf = () => 1 }: EntityReference,
  entity: Owner,
  owners: ReadonlyMap<IdentifierKey, Owner>,
): ConflictingOwner[] {
  return alsoKnownAs.flatMap(alias => {
    const owner = owners.get(focusKey(alias));
    if (!owner || owner.canonicalId === entity.canonicalId) return [];
    return [{ identifier: toIdentifier(alias), owner, reliability: rules => reliabilityOf(alias, rules) }];
  });
}

/** @param own domains of the workspace itself: who has an address there is a colleague. */
function findEmployer(identifier: Identifier, own: ReadonlySet<string>): IdentifierFocus[] {
  const email = identifier.kind === 'email' ? parseFocus(identifier.value) : undefined;
  const domain = email?.form === 'email' ? findWorkDomain(email) : undefined;
  const focus = domain === undefined || own.has(domain) ? undefined : parseFocus(domain);
  return focus?.form === 'domain' ? [focus] : [];
}

/** The employer by person, for the e-mail addresses that are new. */
function mapEmployers(
  foci: readonly IdentifierFocus[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
  own: ReadonlySet<string>,
): Map<string, Employer> {
  const employers = new Map<string, Employer>();
  for (const focus of foci) {
    const [employer] = findEmployer(toIdentifier(focus), own);
    const person = owners.get(focusKey(focus));
    if (employer && person) {
      const { canonicalId: id } = owners.get(focusKey(employer))!;
      employers.set(person.id, { id, domain: employer.key });
    }
  }
  return employers;
}

function uniqueByKey(wanted: readonly NewIdentifier[]): NewIdentifier[] {
  return [...new Map(wanted.toReversed().map(w => [identifierKey(w), w])).values()];
}
