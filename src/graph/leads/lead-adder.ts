import { Injectable } from '@nestjs/common';
import { isOwn } from '#domain/identity/own.js';
import { newId } from '#kernel/ids.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { OwnDomains } from '../facts/own-domains.js';
import { type Match, PersonWriter, type PersonWish } from '../people/person-writer.js';
import type { AddRequest, LeadColumns, LeadWish } from './add-request.js';
import { type AddedRow, refusedRow } from './added.js';
import { keepList, lockList, openList, type OpenList } from './lead-lists.queries.js';
import { addLeads, type NewLead } from './leads.queries.js';

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

/** Adds rows to a list in one transaction: finds or makes the people, states what the rows say, and adds the leads. */
@Injectable()
export class LeadAdder {
  constructor(
    private readonly people: PersonWriter,
    private readonly own: OwnDomains,
  ) {}

  /** The list and the outcome of each row. A row that cannot be taken never fails the others. */
  async add(tx: Tx, request: AddRequest): Promise<{ list: OpenList; rows: AddedRow[] }> {
    const outcomes = new Map<number, AddedRow>();
    const [wanted] = await Promise.all([this.wantedOf(tx, request.rows, outcomes), lockList(tx, request.list)]);
    const people = wanted.flatMap(({ match }) => match.entityId ?? []);
    const list = await openList(tx, request.list, people);
    if (!list) throw new HubError('list_not_found');
    const open = request.importDuplicates ? wanted : withoutRepeats(wanted, list.members, outcomes);
    await this.write(tx, list, open, request, outcomes);
    keepList(tx, list, request.columns);
    const rows = request.rows.map((_, index) => outcomes.get(index)!);
    if (/^csv\b/i.test(request.source)) announce(tx, list.id, request.source, rows);
    return { list, rows };
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

  private async write(
    tx: Tx,
    list: OpenList,
    open: readonly Wanted[],
    { importDuplicates }: AddRequest,
    outcomes: Map<number, AddedRow>,
  ): Promise<void> {
    const written = await this.people.write(
      tx,
      open.map(({ person }) => person),
      open.map(({ match }) => match),
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
    addLeads(tx, list.id, leads);
  }
}

/** Why a row cannot be taken, whatever is known; who has an address at an own domain is a colleague. */
function refusalOf(row: LeadWish, own: ReadonlySet<string>): HubError | undefined {
  if ('person' in row)
    return row.person.identifiers.some(each => isOwn(each, own)) ? new HubError('own_domain') : undefined;
  const bare = row.problems.some(({ message }) => message.startsWith('A row needs'));
  return bare ? new HubError('identifier_required') : HubError.invalidRequest(row.problems);
}

/** Rows about somebody who stands in the list, or in a row before, are told apart before anything is stated. */
function withoutRepeats(
  wanted: readonly Wanted[],
  known: ReadonlyMap<string, string>,
  outcomes: Map<number, AddedRow>,
): Wanted[] {
  return wanted.filter(({ index, identifier, match }) => {
    const lead = match.entityId === undefined ? undefined : known.get(match.entityId);
    if (lead === undefined) return true;
    const about = { index, identifier, entity_id: match.entityId!, matched_on: match.matchedOn };
    outcomes.set(index, { ...about, lead_id: lead, status: 'duplicate' });
    return false;
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
