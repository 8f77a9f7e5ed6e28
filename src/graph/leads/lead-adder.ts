import { Injectable } from '@nestjs/common';
import { isOwn } from '#domain/identity/own.js';
import { toIso } from '#domain/time/instant.js';
import { inOneStatement } from '#kernel/db/in-one-statement.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { newId } from '#kernel/ids.js';
import { OwnDomains } from '../facts/own-domains.js';
import { type Match, PersonWriter, type PersonWish } from '../people/person-writer.js';
import { ScoreSettingsReader } from '../score/score-settings.js';
import { columnsOf, type EntityScore, keepWithLeads } from '../score/score-writer.js';
import { ScoreService } from '../score/score.service.js';
import type { Scoring } from '../score/scoring.js';
import type { AddRequest, LeadColumns, LeadWish } from './add-request.js';
import { type AddedRow, refusedRow } from './added.js';
import { keepList, lockList, openList, type OpenList } from './lead-lists.queries.js';
import { addLeads, type NewLead, type ScoredLead } from './leads.queries.js';

/** A row that can be written. */
interface Wanted {
  readonly index: number;
  readonly identifier: string | null;
  readonly person: PersonWish;
  readonly columns: LeadColumns;
  readonly match: Match;
}

/** Most entities that one event speaks of. */
const IDS_PER_EVENT = 500;

/** What adding rows has brought about. */
export interface AddedRows {
  readonly list: OpenList;
  readonly rows: readonly AddedRow[];
  /** By entity, where it was wished. */
  readonly scores: ReadonlyMap<string, EntityScore>;
}

/**
 * Adds rows to a list in one transaction: finds or makes the people, states what the rows say, adds the leads, and
 * scores them. Five statements, however many rows there are.
 */
@Injectable()
export class LeadAdder {
  constructor(
    private readonly people: PersonWriter,
    private readonly own: OwnDomains,
    private readonly settings: ScoreSettingsReader,
    private readonly scores: ScoreService,
  ) {}

  /** The list and the outcome of each row. A row that cannot be taken never fails the others. */
  async add(tx: Tx, request: AddRequest): Promise<AddedRows> {
    const outcomes = new Map<number, AddedRow>();
    const [matched, settings] = await inOneStatement(tx, one =>
      Promise.all([
        this.wantedOf(one, request.rows, outcomes),
        request.score && !request.dryRun ? this.settings.read(one) : undefined,
        lockList(one, request.list),
      ]),
    );
    const known = matched.flatMap(({ match }) => match.entityId ?? []);
    const [list, wanted] = await inOneStatement(tx, one =>
      Promise.all([openList(one, request.list, known), this.met(one, matched)]),
    );
    if (!list) throw new HubError('list_not_found');
    const scoring = settings && this.scores.asSequel(settings);
    const repeats = request.importDuplicates ? [] : repeatsAmong(wanted, list.members, outcomes);
    const open = wanted.filter(each => !repeats.includes(each));
    const leads = await this.write(tx, list, open, repeats, scoring, request, outcomes);
    const scores = scoring?.scores ?? new Map<string, EntityScore>();
    const at = toIso(await tx.now());
    keepList(tx, list, request.columns);
    addLeads(
      tx,
      list.id,
      at,
      leads.map(lead => withScore(lead, scores)),
    );
    keepWithLeads(tx, scores, at);
    const rows = request.rows.map((_, index) => outcomes.get(index)!);
    if (/^csv\b/i.test(request.source)) announce(tx, list.id, request.source, rows);
    return { list, rows, scores };
  }

  /** Has those made whom nobody knows. */
  private async met(tx: Tx, wanted: readonly Wanted[]): Promise<Wanted[]> {
    const persons = wanted.map(({ person }) => person);
    const matches = await this.people.meet(
      tx,
      persons,
      wanted.map(({ match }) => match),
    );
    return wanted.map((each, i) => ({ ...each, match: matches[i]! }));
  }

  private async wantedOf(tx: Tx, rows: readonly LeadWish[], outcomes: Map<number, AddedRow>): Promise<Wanted[]> {
    const own = this.own.of(tx.workspace);
    const readable = rows.flatMap((row, index) => {
      const refusal = refusalOf(row, own);
      if ('person' in row && !refusal) return [{ ...row, index }];
      outcomes.set(index, refusedRow(index, row.identifier, refusal!));
      return [];
    });
    const matches = await this.people.match(
      tx,
      readable.map(({ person }) => person),
    );
    return readable.flatMap((row, i): Wanted[] => {
      const match = matches[i]!;
      if (!(match instanceof HubError)) return [{ ...row, match }];
      outcomes.set(row.index, refusedRow(row.index, row.identifier, match));
      return [];
    });
  }

  /** States what rows say. Of those that are repeats nothing is stated, but they are scored like the others. */
  private async write(
    tx: Tx,
    list: OpenList,
    open: readonly Wanted[],
    repeats: readonly Wanted[],
    scoring: Scoring | undefined,
    { importDuplicates }: AddRequest,
    outcomes: Map<number, AddedRow>,
  ): Promise<NewLead[]> {
    const silent = scoring ? repeats.map(({ person, match }) => ({ person: saysNothing(person), match })) : [];
    const all = [...open, ...silent];
    const written = await this.people.write(
      tx,
      all.map(({ person }) => person),
      all.map(({ match }) => match),
      scoring,
    );
    const leads: NewLead[] = [];
    const taken = new Map(importDuplicates ? [] : list.members);
    open.forEach(({ index, identifier, columns, match }, i) => {
      const outcome = written[i]!;
      if ('error' in outcome) return void outcomes.set(index, refusedRow(index, identifier, outcome.error));
      const { entity_id, entity_created } = outcome.recorded;
      const about = { index, identifier, entity_id, matched_on: match.matchedOn };
      const there = importDuplicates ? undefined : taken.get(entity_id);
      if (there) return void outcomes.set(index, { ...about, lead_id: there, status: 'duplicate' });
      const id = newId();
      taken.set(entity_id, id);
      leads.push({ id, entity_id, ...columns });
      outcomes.set(index, { ...about, lead_id: id, status: entity_created ? 'created' : 'matched' });
    });
    return leads;
  }
}

function saysNothing(person: PersonWish): PersonWish {
  return { ...person, identifiers: [], observations: [] };
}

function withScore(lead: NewLead, scores: ReadonlyMap<string, EntityScore>): ScoredLead {
  const scored = scores.get(lead.entity_id);
  return scored ? { ...lead, ...columnsOf(scored.score) } : lead;
}

/** Why a row cannot be taken, whatever is known; who has an address at an own domain is a colleague. */
function refusalOf(row: LeadWish, own: ReadonlySet<string>): HubError | undefined {
  if ('person' in row)
    return row.person.identifiers.some(each => isOwn(each, own)) ? new HubError('own_domain') : undefined;
  const bare = row.problems.some(({ message }) => message.startsWith('A row needs'));
  return bare ? new HubError('identifier_required') : HubError.invalidRequest(row.problems);
}

/** Rows about somebody who stands in the list are told apart before anything is stated. */
function repeatsAmong(
  wanted: readonly Wanted[],
  known: ReadonlyMap<string, string>,
  outcomes: Map<number, AddedRow>,
): Wanted[] {
  return wanted.filter(({ index, identifier, match }) => {
    const lead = match.entityId === undefined ? undefined : known.get(match.entityId);
    if (lead === undefined) return false;
    const about = { index, identifier, entity_id: match.entityId!, matched_on: match.matchedOn };
    outcomes.set(index, { ...about, lead_id: lead, status: 'duplicate' });
    return true;
  });
}

function announce(tx: Tx, listId: string, source: string, rows: readonly AddedRow[]): void {
  const added = rows.filter(({ status }) => status === 'created' || status === 'matched');
  const ids = [...new Set(added.map(({ entity_id }) => entity_id!))];
  for (let from = 0; from < ids.length; from += IDS_PER_EVENT) {
    const entity_ids = ids.slice(from, from + IDS_PER_EVENT);
    tx.emit({ type: 'contact.imported', payload: { lead_list_id: listId, source, entity_ids } });
  }
}
