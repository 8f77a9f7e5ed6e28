import { Injectable } from '@nestjs/common';
import { type Classification, classifyContact } from '#domain/dedup/classify-contact.js';
import { findCurrentEmail } from '#domain/dedup/current-email.js';
import { RepeatFinder } from '#domain/dedup/duplicates.js';
import type { DedupEvidence, ContactStatus } from '#domain/dedup/contact-status.js';
import type { Identifier } from '#domain/identity/focus.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { flatMapYielding, mapYielding } from '#kernel/scheduling/yield.js';
import { OwnDomainsCache } from '../facts/own-domains.cache.js';
import { findOwners, type IdentifierKey, identifierKey, type Owner } from '../identity/identifiers.queries.js';
import {
  type ContactDetailRow,
  hasList,
  readRelated,
  readContactStatuses,
  type ContactStatusRow,
} from './dedup.queries.js';
import type { DedupRow, DedupOptions, DedupRequest } from './dedup-request.js';
import { type DedupResponse, type DedupError, type DedupResult, countOutcomes } from './dedup.presenter.js';
import { type IdentifiedRow, identifyRow } from './identify-row.js';
import { toContactStatus } from './contact-status.js';

/** A row that can be told, with its place and its class. */
interface ClassifiedRow extends IdentifiedRow {
  readonly index: number;
  readonly asked: DedupRow;
  readonly classed: Classification;
}

/** What is known of all entities that the rows name. */
interface KnownContacts {
  readonly owners: ReadonlyMap<IdentifierKey, Owner>;
  readonly rows: ReadonlyMap<string, ContactStatusRow>;
  readonly standings: ReadonlyMap<string, ContactStatus>;
}

/** Tells for rows of any list whether they are new, engaged, bounced or unsubscribed. Reads only. */
@Injectable()
export class DedupService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ownDomains: OwnDomainsCache,
  ) {}

  /**
   * Classes of rows. Plans are kept and made without scans of whole tables, as where a list is attached.
   * @throws HubError `list_not_found`.
   */
  dedup(workspace: string, request: DedupRequest): Promise<DedupResponse> {
    const { exceptList } = request;
    const read = async (tx: Tx) => {
      if (exceptList !== undefined && !(await hasList(tx, exceptList))) throw new HubError('list_not_found');
      return this.classify(tx, request.rows, request);
    };
    return this.work.run(workspace, read, { useGenericPlans: true });
  }

  /** The same inside a transaction: at most three statements, however many rows there are. */
  async classify(tx: Tx, inputs: readonly DedupRow[], options: DedupOptions): Promise<DedupResponse> {
    const errors: DedupError[] = [];
    const own = this.ownDomains.get(tx.workspace);
    const read = await mapYielding(inputs, row => identifyRow(row, own));
    const identified = await flatMapYielding(read, (row, index) => {
      if ('identifiers' in row) return [{ ...row, index, asked: inputs[index]! }];
      errors.push({ index, ref: inputs[index]!.ref, ...row });
      return [];
    });
    const now = await tx.now();
    const known = await this.readKnown(tx, identified, options, now);
    const rows = await mapYielding(identified, row => ({ ...row, classed: classifyRow(row, known, now, options) }));
    const beside = await this.readDetails(tx, rows);
    const repeats = new RepeatFinder();
    const originals = await mapYielding(rows, row => repeats.add(rowKeys(row)));
    const results = await mapYielding(rows, (row, i) =>
      presentResult(row, known, beside, originalIndex(rows, originals[i])),
    );
    return { results, summary: countOutcomes(results), errors };
  }

  private async readKnown(
    tx: Tx,
    rows: readonly IdentifiedRow[],
    options: DedupOptions,
    now: Instant,
  ): Promise<KnownContacts> {
    if (rows.length === 0) return { owners: new Map(), rows: new Map(), standings: new Map() };
    const wanted = new Map<IdentifierKey, Identifier>();
    await mapYielding(rows, ({ identifiers, domain }) => {
      for (const each of identifiers) wanted.set(identifierKey(each), each);
      if (domain) wanted.set(identifierKey(toDomainIdentifier(domain)), toDomainIdentifier(domain));
    });
    const owners = await findOwners(tx, [...wanted.values()]);
    const ids = [...new Set([...owners.values()].map(owner => owner.canonicalId))];
    const kept = ids.length > 0 ? await readContactStatuses(tx, ids, options.exceptList) : [];
    const standings = await mapYielding(kept, row => [row.id, toContactStatus(row, now, options)] as const);
    return { owners, rows: new Map(kept.map(row => [row.id, row])), standings: new Map(standings) };
  }

  /** Other addresses of those whose address is dead, and which event an activity was. */
  private async readDetails(tx: Tx, rows: readonly ClassifiedRow[]): Promise<ReadonlyMap<string, ContactDetailRow[]>> {
    const dead = rows.filter(({ classed }) => classed.outcome === 'bounced').map(({ classed }) => classed.entityId!);
    const acted = new Map(rows.flatMap(({ classed }) => unattributedActivity(classed)));
    if (dead.length + acted.size === 0) return new Map();
    const activities = [...acted].map(([entityId, at]) => ({ entityId, at }));
    return Map.groupBy(await readRelated(tx, [...new Set(dead)], activities), row => row.entity_id);
  }
}

function toDomainIdentifier(domain: string) {
  return { kind: 'domain', key: domain, value: domain } as const;
}

function classifyRow(
  row: IdentifiedRow,
  { owners, standings }: KnownContacts,
  now: Instant,
  options: DedupOptions,
): Classification {
  const standing = (handle: IdentifierKey) => standings.get(owners.get(handle)?.canonicalId ?? '');
  const known = row.identifiers.flatMap(identifier => {
    const found = standing(identifierKey(identifier));
    return found ? [{ kind: toFieldName(identifier.kind), standing: found }] : [];
  });
  const site = row.domain === undefined ? undefined : standing(identifierKey(toDomainIdentifier(row.domain)));
  return classifyContact({ email: row.email, known, blocked: site ? findBlock(site) : null }, now, options.windowDays);
}

function findBlock({ claims }: ContactStatus): DedupEvidence | null {
  const optOut = [claims.do_not_contact, claims.unsubscribed].find(
    claim => claim !== undefined && claim.value !== false,
  );
  return optOut?.proof ?? null;
}

function toFieldName(kind: string): string {
  return kind === 'linkedin' ? 'linkedin_url' : kind;
}

/** An activity is known by its time alone. */
function unattributedActivity({ entityId, outcome, proof }: Classification): [string, Instant][] {
  const isBare = outcome === 'engaged' && proof !== null && !proof.observationId && !proof.listId;
  return isBare && entityId !== null ? [[entityId, proof.at]] : [];
}

function rowKeys({ identifiers, classed: { entityId } }: ClassifiedRow): string[] {
  return [...identifiers.map(identifierKey), ...(entityId === null ? [] : [`entity ${entityId}`])];
}

function originalIndex(rows: readonly ClassifiedRow[], original: number | undefined): number | undefined {
  return original === undefined ? undefined : rows[original]!.index;
}

function presentResult(
  { index, asked, email, classed, identifiers }: ClassifiedRow,
  { rows, standings }: KnownContacts,
  details: ReadonlyMap<string, ContactDetailRow[]>,
  original: number | undefined,
): DedupResult {
  const { entityId, outcome, reason, matchedOn, proof } = classed;
  const more = entityId === null ? [] : (details.get(entityId) ?? []);
  const addresses = more.flatMap(({ key, value }) => (key !== null && value !== null ? [{ key, value }] : []));
  const standing = entityId === null ? undefined : standings.get(entityId);
  const dead = email ?? standing?.currentEmail;
  const alternate = outcome === 'bounced' && standing ? findCurrentEmail(standing, addresses, dead) : undefined;
  const event = more.find(row => row.observation_id !== null)?.observation_id ?? undefined;
  const lists = entityId === null ? [] : (rows.get(entityId)?.lists ?? []);
  return {
    index,
    ref: asked.ref,
    ...(asked.kind && { kind: asked.kind, value: String(asked.texts[asked.kind]) }),
    email: identifiers.find(({ kind }) => kind === 'email')?.value ?? null,
    outcome,
    reason,
    entity_id: entityId,
    matched_on: matchedOn,
    evidence: proof && presentEvidence(proof, event),
    lists: lists.map(({ list_id, name, status }) => ({ list_id, name, status })),
    ...(original !== undefined && { duplicate_of: original }),
    ...(alternate !== undefined && { alternate_email: alternate }),
  };
}

function presentEvidence({ observationId, listId, at }: DedupEvidence, event: string | undefined) {
  const id = listId === undefined ? (observationId ?? event) : undefined;
  return { ...(id !== undefined && { observation_id: id }), ...(listId && { list_id: listId }), at: toIso(at) };
}
