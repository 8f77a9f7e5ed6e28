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
import { findRoleDomain, findWorkDomain } from '#domain/identity/email.js';
import type { Activity } from '#domain/observation/interaction-events.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { ProfileCache } from '../facts/facts.caches.js';
import {
  createIdentifiers,
  findOwners,
  type IdentifierKey,
  identifierKey,
  updateEntities,
  type Owner,
  type NewIdentifier,
  focusKey,
} from './identifiers.queries.js';
import {
  assignPhoneOwners,
  dropCompanyPhones,
  findReferenceOwners,
  type OwnerMap,
  writeSharedPhones,
} from './reference-owners.js';
import { refuseErased, SuppressionService } from './suppression.service.js';

/** The entity that a write refers to, and further identifiers that it states for this entity. */
export interface EntityReference {
  readonly focus: PreciseFocus;
  readonly alsoKnownAs: readonly IdentifierFocus[];
  /**
   * Returns the reliability, from 0 to 1, of the statement of an alias. Called only if the alias belongs to another
   * entity. Default 1.
   */
  readonly reliabilityOf?: (alias: IdentifierFocus, rules: ClaimRules) => number;
  /** Whether facts of a person are stated, so that a new mailbox of a function (`info@`) is theirs. Default false. */
  readonly isPerson?: boolean;
  /** Owners that the caller has already looked up; null: no owner. Keys that are missing are looked up. */
  readonly owners?: OwnerMap | undefined;
}

export type { OwnerMap } from './reference-owners.js';

/** Another entity that owns an identifier which is stated for this one. */
export interface ConflictingOwner {
  readonly identifier: Identifier;
  readonly owner: Owner;
  /** Returns the reliability of the statement, from 0 to 1, under the rules of the workspace. */
  readonly reliability: (rules: ClaimRules) => number;
}

/** The entity of a reference. */
export interface ResolvedEntity extends Owner {
  /** Whether this transaction created the entity. */
  readonly created: boolean;
  /** The employer, if a work e-mail address of the entity was added by this transaction. */
  readonly employer: Employer | undefined;
  /**
   * Owners of other identifiers that were stated for this entity, usually none. They may turn out to be the same
   * entity.
   */
  readonly conflicts: readonly ConflictingOwner[];
}

/** A company identified by the domain of a work e-mail address. */
export interface Employer {
  readonly id: string;
  readonly domain: string;
}

/** Changes that a batch makes to entity rows, by entity id. */
export interface EntityUpdates {
  /** Null if the name has ended. */
  readonly names: ReadonlyMap<string, string | null>;
  readonly activity: ReadonlyMap<string, Activity>;
  /** Ids of the companies that people were found to work for. */
  readonly companies: ReadonlyMap<string, string>;
}

/** Finds entities by their identifiers, and creates them. */
@Injectable()
export class IdentityService {
  constructor(
    private readonly profiles: ProfileCache,
    private readonly suppression: SuppressionService,
  ) {}

  /**
   * Resolves references to entities, in order. Creates entities whose identifiers are unknown, and the company of a new
   * work e-mail address. A new mailbox of a function (`info@`) identifies the company, unless facts of a person are stated. An entry is undefined if its focus is an id that does not exist, and an error if the reference
   * names an erased person (`identifier_erased`, `entity_erased`) or a phone number of several (`ambiguous_focus`). One statement if all are known; none if the caller
   * passes their owners.
   * @param willWriteMore whether the transaction will insert identifiers again.
   */
  async resolveOrCreate(
    tx: Tx,
    given: readonly EntityReference[],
    willWriteMore = false,
  ): Promise<(ResolvedEntity | HubError | undefined)[]> {
    const owners = await findReferenceOwners(tx, given);
    const references = dropCompanyPhones(given, owners);
    const shared = await assignPhoneOwners(tx, references, owners);
    const refused = new Map([...shared, ...(await refuseErased(tx, this.suppression, references, owners))]);
    const accepted = references.filter(reference => !refused.has(reference));
    const subjects = await this.redirectRoleMailboxes(tx, accepted, owners);
    const resolved = await this.resolveAccepted(tx, [...subjects.values()], owners, willWriteMore);
    return references.map(reference => refused.get(reference) ?? resolved.get(subjects.get(reference)!));
  }

  /** Replaces references to new mailboxes of a function by references to their company, as which they are stored. */
  private async redirectRoleMailboxes(
    tx: Tx,
    references: readonly EntityReference[],
    owners: Map<IdentifierKey, Owner>,
  ): Promise<ReadonlyMap<EntityReference, EntityReference>> {
    const own = this.profiles.get(tx.workspace).ownDomains;
    const subjects = new Map(
      references.map(reference => [reference, toCompanyReference(reference, owners, own) ?? reference]),
    );
    const companies = [...subjects].flatMap(([reference, { focus }]) =>
      focus === reference.focus || focus.form === 'uuid' ? [] : [toIdentifier(focus)],
    );
    if (companies.length > 0) for (const [key, owner] of await findOwners(tx, companies)) owners.set(key, owner);
    return subjects;
  }

  private async resolveAccepted(
    tx: Tx,
    references: readonly EntityReference[],
    owners: Map<IdentifierKey, Owner>,
    willWriteMore: boolean,
  ): Promise<ReadonlyMap<EntityReference, ResolvedEntity | undefined>> {
    const newFoci = references
      .flatMap(({ focus }) => (focus.form === 'uuid' ? [] : [focus]))
      .filter(isUnknownIn(owners));
    const newEntities = uniqueByKey(newFoci.map(toNewIdentifier));
    const newAliases = toAliasIdentifiers(references, owners, newEntities);
    const exclusive = newFoci.length > 0 && (willWriteMore || newAliases.length > 0);
    tx.countUsage('people', newEntities.filter(({ createsType }) => createsType === 'person').length);
    const created = await this.createIdentifiers(tx, [...newEntities, ...newAliases], owners, exclusive);
    const addedAliases = await this.createIdentifiers(tx, toAliasIdentifiers(references, owners), owners, exclusive);

    writeSharedPhones(tx, references, owners);

    const newKeys = created.union(addedAliases);
    const employers = mapEmployers(
      [...newFoci, ...references.flatMap(s => s.alsoKnownAs)].filter(focus => newKeys.has(focusKey(focus))),
      owners,
      this.profiles.get(tx.workspace).ownDomains,
    );
    const resolve = (reference: EntityReference): ResolvedEntity | undefined => {
      const key = focusKey(reference.focus);
      const owner = owners.get(key);
      if (!owner) return undefined;
      const conflicts = findConflicts(reference, owner, owners);
      return { ...owner, created: created.delete(key), employer: employers.get(owner.id), conflicts };
    };
    return new Map(references.map(reference => [reference, resolve(reference)]));
  }

  /** Updates entity rows. Sent with COMMIT. */
  updateEntities(tx: Tx, { names, activity, companies }: EntityUpdates): void {
    const none: Activity = { first: null, last: null, lastInbound: null };
    const ids = new Set([...names.keys(), ...activity.keys(), ...companies.keys()]);
    updateEntities(
      tx,
      [...ids].map(id => ({ id, name: names.get(id), company: companies.get(id), ...(activity.get(id) ?? none) })),
    );
  }

  /**
   * Inserts identifiers and the domains of new employers, and adds their owners to `owners`.
   * @returns the keys that are new.
   */
  private async createIdentifiers(
    tx: Tx,
    identifiers: readonly NewIdentifier[],
    owners: Map<IdentifierKey, Owner>,
    exclusive: boolean,
  ): Promise<Set<IdentifierKey>> {
    const own = this.profiles.get(tx.workspace).ownDomains;
    const employers = identifiers.flatMap(identifier => findEmployer(identifier, own));
    const companies = employers.filter(isUnknownIn(owners)).map(toNewIdentifier);
    const all = uniqueByKey([...identifiers, ...companies]);
    if (all.length === 0) return new Set();
    const claimed = await createIdentifiers(tx, all, exclusive);
    for (const { key, owner } of claimed) owners.set(key, owner);
    const missing = all.filter(identifier => !owners.has(identifierKey(identifier)));
    if (missing.length > 0) for (const [key, owner] of await findOwners(tx, missing)) owners.set(key, owner);
    return new Set(claimed.filter(({ isNew }) => isNew).map(({ key }) => key));
  }
}

function isUnknownIn(owners: ReadonlyMap<IdentifierKey, Owner>): (focus: IdentifierFocus) => boolean {
  return focus => !owners.has(focusKey(focus));
}

/** Returns the reference to the company of a new mailbox of a function; undefined for everything else. */
function toCompanyReference(
  { focus, alsoKnownAs, isPerson = false, ...reference }: EntityReference,
  owners: ReadonlyMap<IdentifierKey, Owner>,
  own: ReadonlySet<string>,
): EntityReference | undefined {
  if (isPerson || focus.form !== 'email' || owners.has(focusKey(focus))) return undefined;
  const [company] = findRoleDomain(focus) === undefined ? [] : findEmployer(toIdentifier(focus), own);
  const ofCompany = alsoKnownAs.filter(alias => entityTypeOf(alias) === 'company');
  return company && { ...reference, focus: company, alsoKnownAs: [focus, ...ofCompany] };
}

function toNewIdentifier(focus: IdentifierFocus): NewIdentifier {
  return { ...toIdentifier(focus), entityId: newId(), createsType: entityTypeOf(focus) };
}

/**
 * Returns the stated aliases that have no owner yet.
 * @param creating identifiers whose entities are about to be created.
 */
function toAliasIdentifiers(
  references: readonly EntityReference[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
  creating: readonly NewIdentifier[] = [],
): NewIdentifier[] {
  const creatingIds = new Map(creating.map(identifier => [identifierKey(identifier), identifier.entityId]));
  return references.flatMap(({ focus, alsoKnownAs }) => {
    const key = focusKey(focus);
    const entityId = owners.get(key)?.id ?? creatingIds.get(key);
    if (entityId === undefined) return [];
    const open = alsoKnownAs.filter(alias => isUnknownIn(owners)(alias) && !creatingIds.has(focusKey(alias)));
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
    // Several people can have one phone number, so it never suggests a merge.
    if (!owner || owner.canonicalId === entity.canonicalId || alias.form === 'phone') return [];
    return [{ identifier: toIdentifier(alias), owner, reliability: rules => reliabilityOf(alias, rules) }];
  });
}

/**
 * Returns the domain of the employer of a work e-mail address, if any.
 * @param own domains of the workspace itself: an address there belongs to a colleague, not to a contact.
 */
function findEmployer(identifier: Identifier, own: ReadonlySet<string>): IdentifierFocus[] {
  const email = identifier.kind === 'email' ? parseFocus(identifier.value) : undefined;
  const domain = email?.form === 'email' ? findWorkDomain(email) : undefined;
  const focus = domain === undefined || own.has(domain) ? undefined : parseFocus(domain);
  return focus?.form === 'domain' ? [focus] : [];
}

/**
 * Maps people with a new work e-mail address to their employers. Of several new addresses the first by its key counts, as
 * when companies are computed again.
 */
function mapEmployers(
  foci: readonly IdentifierFocus[],
  owners: ReadonlyMap<IdentifierKey, Owner>,
  own: ReadonlySet<string>,
): Map<string, Employer> {
  const employers = new Map<string, Employer>();
  for (const focus of foci.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const [employer] = findEmployer(toIdentifier(focus), own);
    const person = owners.get(focusKey(focus));
    const company = employer && owners.get(focusKey(employer));
    // The mailbox of a function belongs to the company itself.
    if (company && person && company.id !== person.id && !employers.has(person.id))
      employers.set(person.id, { id: company.canonicalId, domain: employer.key });
  }
  return employers;
}

function uniqueByKey(identifiers: readonly NewIdentifier[]): NewIdentifier[] {
  return [...new Map(identifiers.toReversed().map(each => [identifierKey(each), each])).values()];
}
