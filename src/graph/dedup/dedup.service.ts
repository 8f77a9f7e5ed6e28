import { type RelatedAccount, findRelatedAccount } from '#domain/dedup/related-account.js';
import {
  type ClassifyingClaim,
  type DedupEvidence,
  type ContactStatus,
  type KnownContact,
  findCurrentEmail,
} from '#domain/dedup/contact-status.js';
import { type Identifier, toEmailKey } from '#domain/identity/focus.js';
import { listUpcomingMeetings } from '#domain/meetings/upcoming-meetings.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import {
  type AddressTrackRow,
  type ContactClaimRow,
  type ListMembershipRow,
  type ContactStatusRow,
  type ContactAddressRow,
  hasList,
  readAddresses,
  readContactStatuses,
} from './dedup.queries.js';
import {
  type DedupOptions,
  type DedupRow,
  type DedupRequest,
  type IdentifiedRow,
  UNTAGGED_EMAIL,
  identifyRow,
} from './dedup-request.js';
import { Injectable } from '@nestjs/common';
import { type Classification, classifyContact, RepeatFinder } from '#domain/dedup/classify-contact.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { flatMapYielding, mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { ProfileCache } from '../facts/facts.caches.js';
import { findOwners, type IdentifierKey, identifierKey, type Owner } from '../identity/identifiers.queries.js';
import { type DedupResponse, type DedupError, type DedupResult, countOutcomes } from './dedup.presenter.js';

/** Derives the contact status of an entity from its stored data. @param now times are compared with. */
export function toContactStatus(row: ContactStatusRow, now: Instant, options: DedupOptions): ContactStatus {
  const claims = row.claims ?? [];
  const deciding = (property: string): ClassifyingClaim | undefined => {
    const claim = claims.find(each => each.property === property);
    return claim && claim.value !== null ? { value: claim.value, evidence: toEvidence(claim) } : undefined;
  };
  const email = claims.find(({ property }) => property === 'email');
  const meetings = (row.meetings ?? []).map(event => ({ ...event, observedAt: event.at }));
  const [meeting] = listUpcomingMeetings(meetings, now);
  return {
    entityId: row.id,
    claims: {
      do_not_contact: deciding('do_not_contact'),
      unsubscribed: deciding('unsubscribed'),
      email_status: deciding('email_status'),
      stage: deciding('stage'),
    },
    currentEmail: toEmailKey(email?.value),
    formerEmails: email ? readFormerEmails(email) : new Map(),
    addressStatuses: readAddressStatuses(claims.find(({ tracks }) => tracks !== null)?.tracks ?? []),
    lastInbound: row.inbound && { observationId: row.inbound.id, at: row.inbound.at },
    lastActivity: row.activity && { observationId: row.activity.id, at: row.activity.at },
    meeting: meeting ? { observationId: meeting.id, at: meeting.start } : null,
    lists: options.includeLists ? findActiveLists(row.lists ?? [], now, options.windowDays) : [],
    account: findRelatedAccount(row.staged ?? []),
  };
}

function toEvidence({ ref, at }: ContactClaimRow): DedupEvidence {
  return { observationId: ref, at };
}

function readFormerEmails({ value, history }: ContactClaimRow): ReadonlyMap<string, DedupEvidence> {
  const current = toEmailKey(value);
  const ended = (history ?? []).flatMap(period => {
    const key = toEmailKey(period.value);
    return key === undefined || key === current
      ? []
      : [[key, { observationId: period.endedBy, at: period.to }] as const];
  });
  return new Map(ended);
}

function readAddressStatuses(tracks: readonly AddressTrackRow[]): ReadonlyMap<string, ClassifyingClaim> {
  const named = tracks.filter(({ key, newest }) => key !== '' && newest.value !== null);
  return new Map(
    named.map(({ key, newest: { value, id, t } }) => [key, { value, evidence: { observationId: id, at: t } }]),
  );
}

/** Returns the lists that count: where the lead is pending, or was changed within the window. */
function findActiveLists(lists: readonly ListMembershipRow[], now: Instant, windowDays: number): DedupEvidence[] {
  return lists
    .filter(({ status, at }) => status === 'pending' || at >= now - windowDays * DAY_US)
    .map(({ list_id, at }) => ({ listId: list_id, at }));
}

/** An identified row with its position and classification. */
interface ClassifiedRow extends IdentifiedRow {
  readonly index: number;
  readonly input: DedupRow;
  readonly classification: Classification;
}

/** Known data of all entities that the rows identify. */
interface KnownContacts {
  readonly owners: ReadonlyMap<IdentifierKey, Owner>;
  readonly rows: ReadonlyMap<string, ContactStatusRow>;
  readonly statuses: ReadonlyMap<string, ContactStatus>;
}

/** Classifies rows as new, engaged, bounced or unsubscribed. Writes nothing. */
@Injectable()
export class DedupService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly profiles: ProfileCache,
  ) {}

  /**
   * Classifies the rows of a request. Uses generic plans.
   * @throws HubError `list_not_found`.
   */
  dedup(workspace: string, request: DedupRequest): Promise<DedupResponse> {
    const { excludedListId } = request;
    const read = async (tx: Tx) => {
      if (excludedListId !== undefined && !(await hasList(tx, excludedListId))) throw new HubError('list_not_found');
      return this.classify(tx, request.rows, request);
    };
    return this.work.run(workspace, read, { useGenericPlans: true });
  }

  /** Classifies rows inside a transaction, with at most three statements, and more only for tens of thousands of rows. */
  async classify(tx: Tx, inputs: readonly DedupRow[], options: DedupOptions): Promise<DedupResponse> {
    const errors: DedupError[] = [];
    const ownDomains = this.profiles.get(tx.workspace).ownDomains;
    const parsed = await mapYielding(inputs, row => identifyRow(row, ownDomains));
    const identified = await flatMapYielding(parsed, (row, index) => {
      if ('identifiers' in row) return [{ ...row, index, input: inputs[index]! }];
      errors.push({ index, ref: inputs[index]!.ref, ...row });
      return [];
    });
    const now = await tx.now();
    const known = await this.readKnown(tx, identified, options, now);
    const rows = await mapYielding(identified, row => ({
      ...row,
      classification: classifyRow(row, known, now, options),
    }));
    const addresses = await this.readBouncedAddresses(tx, rows);
    const repeats = new RepeatFinder();
    const originals = await mapYielding(rows, row => repeats.add(rowKeys(row)));
    const results = await mapYielding(rows, (row, i) =>
      presentResult(row, known, addresses, originalIndex(rows, originals[i])),
    );
    return { results, summary: countOutcomes(results), errors };
  }

  private async readKnown(
    tx: Tx,
    rows: readonly IdentifiedRow[],
    options: DedupOptions,
    now: Instant,
  ): Promise<KnownContacts> {
    if (rows.length === 0) return { owners: new Map(), rows: new Map(), statuses: new Map() };
    const lookups = new Map<IdentifierKey, Identifier>();
    await mapYielding(rows, ({ identifiers, domain, untagged }) => {
      for (const each of identifiers) lookups.set(identifierKey(each), each);
      if (untagged) lookups.set(identifierKey(untagged), untagged);
      if (domain) lookups.set(identifierKey(toDomainIdentifier(domain)), toDomainIdentifier(domain));
    });
    const owners = await findOwners(tx, [...lookups.values()]);
    const ids = [...new Set([...owners.values()].map(owner => owner.canonicalId))];
    const stored = ids.length > 0 ? await readContactStatuses(tx, ids, options.excludedListId) : [];
    const statuses = await mapYielding(stored, row => [row.id, toContactStatus(row, now, options)] as const);
    return { owners, rows: new Map(stored.map(row => [row.id, row])), statuses: new Map(statuses) };
  }

  /** Reads the addresses of bounced contacts, by entity. */
  private async readBouncedAddresses(
    tx: Tx,
    rows: readonly ClassifiedRow[],
  ): Promise<ReadonlyMap<string, ContactAddressRow[]>> {
    const bounced = rows.filter(({ classification }) => classification.outcome === 'bounced');
    if (bounced.length === 0) return new Map();
    const ids = new Set(bounced.map(({ classification }) => classification.entityId!));
    return Map.groupBy(await readAddresses(tx, [...ids]), row => row.entity_id);
  }
}

function toDomainIdentifier(domain: string) {
  return { kind: 'domain', key: domain, value: domain } as const;
}

function classifyRow(
  row: IdentifiedRow,
  { owners, statuses }: KnownContacts,
  now: Instant,
  options: DedupOptions,
): Classification {
  const statusOf = (key: IdentifierKey) => statuses.get(owners.get(key)?.canonicalId ?? '');
  const known: KnownContact[] = row.identifiers.flatMap(identifier => {
    const status = statusOf(identifierKey(identifier));
    return status ? [{ kind: toFieldName(identifier.kind), status: status }] : [];
  });
  const mailbox = row.untagged && statusOf(identifierKey(row.untagged));
  if (mailbox) known.push({ kind: UNTAGGED_EMAIL, status: mailbox, email: row.untagged!.key });
  const company = findCompany(row, { owners, statuses });
  const blocked = company ? findBlock(company) : null;
  return classifyContact({ email: row.email, known, blocked }, now, options.windowDays);
}

function findCompany(
  { domain }: IdentifiedRow,
  { owners, statuses }: Pick<KnownContacts, 'owners' | 'statuses'>,
): ContactStatus | undefined {
  if (domain === undefined) return undefined;
  return statuses.get(owners.get(identifierKey(toDomainIdentifier(domain)))?.canonicalId ?? '');
}

function findBlock({ claims }: ContactStatus): DedupEvidence | null {
  const optOut = [claims.do_not_contact, claims.unsubscribed].find(
    claim => claim !== undefined && claim.value !== false,
  );
  return optOut?.evidence ?? null;
}

function toFieldName(kind: string): string {
  return kind === 'linkedin' ? 'linkedin_url' : kind;
}

function rowKeys({ identifiers, classification: { entityId } }: ClassifiedRow): string[] {
  return [...identifiers.map(identifierKey), ...(entityId === null ? [] : [`entity ${entityId}`])];
}

function originalIndex(rows: readonly ClassifiedRow[], original: number | undefined): number | undefined {
  return original === undefined ? undefined : rows[original]!.index;
}

function presentResult(
  row: ClassifiedRow,
  known: KnownContacts,
  addresses: ReadonlyMap<string, ContactAddressRow[]>,
  original: number | undefined,
): DedupResult {
  const { index, input, email, classification, identifiers } = row;
  const { rows, statuses } = known;
  const { entityId, outcome, reason, matchedOn, evidence } = classification;
  const company = outcome === 'net_new' ? findCompany(row, known) : undefined;
  const own = entityId === null ? [] : (addresses.get(entityId) ?? []);
  const status = entityId === null ? undefined : statuses.get(entityId);
  const bouncedEmail = email ?? status?.currentEmail;
  const alternate = outcome === 'bounced' && status ? findCurrentEmail(status, own, bouncedEmail) : undefined;
  const lists = entityId === null ? [] : (rows.get(entityId)?.lists ?? []);
  return {
    index,
    ref: input.ref,
    ...(input.kind && { kind: input.kind, value: String(input.identifiers[input.kind]) }),
    email: identifiers.find(({ kind }) => kind === 'email')?.value ?? null,
    outcome,
    reason,
    entity_id: entityId,
    matched_on: matchedOn,
    evidence: evidence && presentEvidence(evidence),
    lists: lists.map(({ list_id, name, status }) => ({ list_id, name, status })),
    ...(original !== undefined && { duplicate_of: original }),
    ...(alternate !== undefined && { alternate_email: alternate }),
    ...(company?.account && { account: presentAccount(company.entityId, company.account) }),
  };
}

function presentAccount(companyId: string, { relation, stage, entityId }: RelatedAccount) {
  return { entity_id: companyId, relation, stage, contact_id: entityId === companyId ? null : entityId };
}

function presentEvidence({ observationId, listId, at }: DedupEvidence) {
  return {
    ...(observationId !== undefined && { observation_id: observationId }),
    ...(listId !== undefined && { list_id: listId }),
    at: toIso(at),
  };
}
