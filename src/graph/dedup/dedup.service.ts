import { Injectable } from '@nestjs/common';
import { type Classified, classify } from '#domain/dedup/classify.js';
import { liveEmail } from '#domain/dedup/live-email.js';
import { RepeatFinder } from '#domain/dedup/repeats.js';
import type { Proof, Standing } from '#domain/dedup/standing.js';
import type { Identifier } from '#domain/identity/focus.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { flatMapYielding, mapYielding } from '#kernel/scheduling/yield.js';
import { OwnDomains } from '../facts/own-domains.js';
import { findOwners, type Handle, handleOf, type Owner } from '../identity/identifiers.queries.js';
import { type BesideRow, hasList, readBeside, readStandings, type StandingRow } from './dedup.queries.js';
import type { AskedRow, DedupOptions, DedupRequest } from './dedup-request.js';
import { type Deduped, type DedupError, type DedupResult, summaryOf } from './deduped.js';
import { type ReadRow, readRow } from './read-row.js';
import { standingOf } from './standings.js';

/** A row that can be told, with its place and its class. */
interface ClassedRow extends ReadRow {
  readonly index: number;
  readonly asked: AskedRow;
  readonly classed: Classified;
}

/** What is known of all entities that the rows name. */
interface Known {
  readonly owners: ReadonlyMap<Handle, Owner>;
  readonly rows: ReadonlyMap<string, StandingRow>;
  readonly standings: ReadonlyMap<string, Standing>;
}

/** Tells for rows of any list whether they are new, engaged, bounced or unsubscribed. Reads only. */
@Injectable()
export class DedupService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly own: OwnDomains,
  ) {}

  /**
   * Classes of rows. Plans are kept and made without scans of whole tables, as where a list is attached.
   * @throws HubError `list_not_found`.
   */
  dedup(workspace: string, request: DedupRequest): Promise<Deduped> {
    const { exceptList } = request;
    const read = async (tx: Tx) => {
      if (exceptList !== undefined && !(await hasList(tx, exceptList))) throw new HubError('list_not_found');
      return this.classify(tx, request.rows, request);
    };
    return this.work.run(workspace, read, { keepPlans: true });
  }

  /** The same inside a transaction: at most three statements, however many rows there are. */
  async classify(tx: Tx, asked: readonly AskedRow[], options: DedupOptions): Promise<Deduped> {
    const errors: DedupError[] = [];
    const own = this.own.of(tx.workspace);
    const read = await mapYielding(asked, row => readRow(row, own));
    const told = await flatMapYielding(read, (row, index) => {
      if ('identifiers' in row) return [{ ...row, index, asked: asked[index]! }];
      errors.push({ index, ref: asked[index]!.ref, ...row });
      return [];
    });
    const now = await tx.now();
    const known = await this.known(tx, told, options, now);
    const rows = await mapYielding(told, row => ({ ...row, classed: classOf(row, known, now, options) }));
    const beside = await this.beside(tx, rows);
    const repeats = new RepeatFinder();
    const originals = await mapYielding(rows, row => repeats.add(keysOf(row)));
    const results = await mapYielding(rows, (row, i) => shown(row, known, beside, places(rows, originals[i])));
    return { results, summary: summaryOf(results), errors };
  }

  private async known(tx: Tx, rows: readonly ReadRow[], options: DedupOptions, now: Instant): Promise<Known> {
    if (rows.length === 0) return { owners: new Map(), rows: new Map(), standings: new Map() };
    const wanted = new Map<Handle, Identifier>();
    await mapYielding(rows, ({ identifiers, domain }) => {
      for (const each of identifiers) wanted.set(handleOf(each), each);
      if (domain) wanted.set(handleOf(siteOf(domain)), siteOf(domain));
    });
    const owners = await findOwners(tx, [...wanted.values()]);
    const ids = [...new Set([...owners.values()].map(owner => owner.canonicalId))];
    const kept = ids.length > 0 ? await readStandings(tx, ids, options.exceptList) : [];
    const standings = await mapYielding(kept, row => [row.id, standingOf(row, now, options)] as const);
    return { owners, rows: new Map(kept.map(row => [row.id, row])), standings: new Map(standings) };
  }

  /** Other addresses of those whose address is dead, and which event an activity was. */
  private async beside(tx: Tx, rows: readonly ClassedRow[]): Promise<ReadonlyMap<string, BesideRow[]>> {
    const dead = rows.filter(({ classed }) => classed.outcome === 'bounced').map(({ classed }) => classed.entityId!);
    const acted = new Map(rows.flatMap(({ classed }) => activityBehind(classed)));
    if (dead.length + acted.size === 0) return new Map();
    const activities = [...acted].map(([entityId, at]) => ({ entityId, at }));
    return Map.groupBy(await readBeside(tx, [...new Set(dead)], activities), row => row.entity_id);
  }
}

function siteOf(domain: string) {
  return { kind: 'domain', key: domain, value: domain } as const;
}

function classOf(row: ReadRow, { owners, standings }: Known, now: Instant, options: DedupOptions): Classified {
  const standing = (handle: Handle) => standings.get(owners.get(handle)?.canonicalId ?? '');
  const known = row.identifiers.flatMap(identifier => {
    const found = standing(handleOf(identifier));
    return found ? [{ kind: kindOf(identifier.kind), standing: found }] : [];
  });
  const site = row.domain === undefined ? undefined : standing(handleOf(siteOf(row.domain)));
  return classify({ email: row.email, known, blocked: site ? blockOf(site) : null }, now, options.windowDays);
}

function blockOf({ claims }: Standing): Proof | null {
  const wish = [claims.do_not_contact, claims.unsubscribed].find(claim => claim !== undefined && claim.value !== false);
  return wish?.proof ?? null;
}

function kindOf(kind: string): string {
  return kind === 'linkedin' ? 'linkedin_url' : kind;
}

/** An activity is known by its time alone. */
function activityBehind({ entityId, outcome, proof }: Classified): [string, Instant][] {
  const isBare = outcome === 'engaged' && proof !== null && !proof.observationId && !proof.listId;
  return isBare && entityId !== null ? [[entityId, proof.at]] : [];
}

function keysOf({ identifiers, classed: { entityId } }: ClassedRow): string[] {
  return [...identifiers.map(handleOf), ...(entityId === null ? [] : [`entity ${entityId}`])];
}

function places(rows: readonly ClassedRow[], original: number | undefined): number | undefined {
  return original === undefined ? undefined : rows[original]!.index;
}

function shown(
  { index, asked, email, classed, identifiers }: ClassedRow,
  { rows, standings }: Known,
  beside: ReadonlyMap<string, BesideRow[]>,
  original: number | undefined,
): DedupResult {
  const { entityId, outcome, reason, matchedOn, proof } = classed;
  const more = entityId === null ? [] : (beside.get(entityId) ?? []);
  const addresses = more.flatMap(({ key, value }) => (key !== null && value !== null ? [{ key, value }] : []));
  const standing = entityId === null ? undefined : standings.get(entityId);
  const dead = email ?? standing?.currentEmail;
  const alternate = outcome === 'bounced' && standing ? liveEmail(standing, addresses, dead) : undefined;
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
    evidence: proof && evidenceOf(proof, event),
    lists: lists.map(({ list_id, name, status }) => ({ list_id, name, status })),
    ...(original !== undefined && { duplicate_of: original }),
    ...(alternate !== undefined && { alternate_email: alternate }),
  };
}

function evidenceOf({ observationId, listId, at }: Proof, event: string | undefined) {
  const id = listId === undefined ? (observationId ?? event) : undefined;
  return { ...(id !== undefined && { observation_id: id }), ...(listId && { list_id: listId }), at: toIso(at) };
}
