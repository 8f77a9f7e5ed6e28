import { Injectable } from '@nestjs/common';
import { isOwnDomain } from '#domain/identity/web-address.js';
import { toIso } from '#domain/time/instant.js';
import { combineReads } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { ProfileCache } from '../facts/facts.caches.js';
import { type PersonMatch, PersonWriter, type PersonWriteInput } from '../people/person.writer.js';
import { ScoreSettingsService } from '../score/score-settings.service.js';
import { toLeadColumns, type EntityScore, saveLeadScores } from '../score/score.writer.js';
import { EntityScoringService } from '../score/entity-scoring.service.js';
import type { ScoreDerivation } from '../score/score-derivation.js';
import type { AddLeadsInput, LeadAttributes, LeadInput } from './add-leads-request.js';
import { type AddLeadResult, rejectedRow } from './leads.presenter.js';
import { saveList, lockList, findOrCreateList, type ListHandle } from './lead-lists.queries.js';
import { insertLeads, type NewLead, type ScoredLead } from './leads.queries.js';

/** A row with its matched person. */
interface MatchedRow {
  readonly index: number;
  readonly identifier: string | null;
  readonly person: PersonWriteInput;
  readonly columns: LeadAttributes;
  readonly match: PersonMatch;
}

/** Maximum number of entity ids per event. */
const MAX_IDS_PER_EVENT = 500;

/** Result of adding rows. */
export interface AddLeadResults {
  readonly list: ListHandle;
  readonly rows: readonly AddLeadResult[];
  /** Scores by entity id; empty if scoring was not requested. */
  readonly scores: ReadonlyMap<string, EntityScore>;
}

/**
 * Adds rows to a list in one transaction: finds or creates the people, records the facts of the rows, adds the leads
 * and scores them. Five statements, however many rows there are.
 */
@Injectable()
export class AddLeadsService {
  constructor(
    private readonly people: PersonWriter,
    private readonly profiles: ProfileCache,
    private readonly settings: ScoreSettingsService,
    private readonly scores: EntityScoringService,
  ) {}

  /** Returns the list and the result of each row. An invalid row does not fail the others. */
  async add(tx: Tx, request: AddLeadsInput): Promise<AddLeadResults> {
    const outcomes = new Map<number, AddLeadResult>();
    const [matched, settings] = await combineReads(tx, one =>
      Promise.all([
        this.matchRows(one, request.rows, outcomes),
        request.score && !request.dryRun ? this.settings.read(one) : undefined,
        lockList(one, request.list),
      ]),
    );
    const known = matched.flatMap(({ match }) => match.entityId ?? []);
    const [list, candidates] = await combineReads(tx, one =>
      Promise.all([findOrCreateList(one, request.list, known), this.createMissing(one, matched)]),
    );
    if (!list) throw new HubError('list_not_found');
    const scoring = settings && this.scores.asDerivedWrites(settings);
    const repeats = request.importDuplicates ? [] : findRepeats(candidates, list.members, outcomes);
    const open = candidates.filter(each => !repeats.includes(each));
    const leads = await this.write(tx, list, open, repeats, scoring, request, outcomes);
    const scores = scoring?.scores ?? new Map<string, EntityScore>();
    const at = toIso(await tx.now());
    saveList(tx, list, request.columns);
    insertLeads(
      tx,
      list.id,
      at,
      leads.map(lead => withScore(lead, scores)),
    );
    saveLeadScores(tx, scores, at);
    const rows = request.rows.map((_, index) => outcomes.get(index)!);
    if (request.publishImported) emitImported(tx, list.id, request.source, rows);
    return { list, rows, scores };
  }

  /** Creates the entities of new people. */
  private async createMissing(tx: Tx, rows: readonly MatchedRow[]): Promise<MatchedRow[]> {
    const persons = rows.map(({ person }) => person);
    const matches = await this.people.createMissing(
      tx,
      persons,
      rows.map(({ match }) => match),
    );
    return rows.map((each, i) => ({ ...each, match: matches[i]! }));
  }

  private async matchRows(
    tx: Tx,
    rows: readonly LeadInput[],
    outcomes: Map<number, AddLeadResult>,
  ): Promise<MatchedRow[]> {
    const ownDomains = this.profiles.get(tx.workspace).ownDomains;
    const readable = rows.flatMap((row, index) => {
      const refusal = toRowError(row, ownDomains);
      if ('person' in row && !refusal) return [{ ...row, index }];
      outcomes.set(index, rejectedRow(index, row.identifier, refusal!));
      return [];
    });
    const matches = await this.people.match(
      tx,
      readable.map(({ person }) => person),
    );
    return readable.flatMap((row, i): MatchedRow[] => {
      const match = matches[i]!;
      if (!(match instanceof HubError)) return [{ ...row, match }];
      // The stored response must not name an erased person again.
      const identifier = match.code === 'identifier_erased' ? null : row.identifier;
      outcomes.set(row.index, rejectedRow(row.index, identifier, match));
      return [];
    });
  }

  /** Records the facts of rows. Repeats record nothing, but are scored like the others. */
  private async write(
    tx: Tx,
    list: ListHandle,
    open: readonly MatchedRow[],
    repeats: readonly MatchedRow[],
    scoring: ScoreDerivation | undefined,
    { importDuplicates, source }: AddLeadsInput,
    outcomes: Map<number, AddLeadResult>,
  ): Promise<NewLead[]> {
    const rescored = scoring ? repeats.map(({ person, match }) => ({ person: withoutStatements(person), match })) : [];
    const all = [...open, ...rescored];
    const written = await this.people.write(
      tx,
      all.map(({ person }) => person),
      all.map(({ match }) => match),
      scoring,
    );
    const leads: NewLead[] = [];
    const members = new Map(importDuplicates ? [] : list.members);
    open.forEach(({ index, identifier, columns, match, person }, i) => {
      const outcome = written[i]!;
      if ('error' in outcome) return void outcomes.set(index, rejectedRow(index, identifier, outcome.error));
      const { entity_id, entity_created } = outcome.recorded;
      const { warnings } = person;
      const result = {
        index,
        identifier,
        entity_id,
        matched_on: match.matchedOn,
        ...(warnings.length > 0 && { warnings }),
      };
      const existingLead = importDuplicates ? undefined : members.get(entity_id);
      if (existingLead) return void outcomes.set(index, { ...result, lead_id: existingLead, status: 'duplicate' });
      const id = newId();
      members.set(entity_id, id);
      leads.push({ id, entity_id, source, ...columns });
      outcomes.set(index, { ...result, lead_id: id, status: entity_created ? 'created' : 'matched' });
    });
    return leads;
  }
}

function withoutStatements(person: PersonWriteInput): PersonWriteInput {
  return { ...person, identifiers: [], observations: [] };
}

function withScore(lead: NewLead, scores: ReadonlyMap<string, EntityScore>): ScoredLead {
  const scored = scores.get(lead.entity_id);
  return scored ? { ...lead, ...toLeadColumns(scored.score) } : lead;
}

/**
 * Returns why a row is rejected regardless of stored data: it is invalid, or its address is at an own domain and so
 * belongs to a colleague.
 */
function toRowError(row: LeadInput, own: ReadonlySet<string>): HubError | undefined {
  if ('person' in row)
    return row.person.identifiers.some(each => isOwnDomain(each, own)) ? new HubError('own_domain') : undefined;
  const isUnidentified = row.problems.some(({ message }) => message.startsWith('A row needs'));
  return isUnidentified ? new HubError('identifier_required') : HubError.invalidRequest(row.problems);
}

/**
 * Returns the rows of people who are already in the list, and sets their results. Must run before facts are recorded.
 */
function findRepeats(
  rows: readonly MatchedRow[],
  known: ReadonlyMap<string, string>,
  outcomes: Map<number, AddLeadResult>,
): MatchedRow[] {
  return rows.filter(({ index, identifier, match }) => {
    const lead = match.entityId === undefined ? undefined : known.get(match.entityId);
    if (lead === undefined) return false;
    const result = { index, identifier, entity_id: match.entityId!, matched_on: match.matchedOn };
    outcomes.set(index, { ...result, lead_id: lead, status: 'duplicate' });
    return true;
  });
}

function emitImported(tx: Tx, listId: string, source: string, rows: readonly AddLeadResult[]): void {
  const added = rows.filter(({ status }) => status === 'created' || status === 'matched');
  const ids = [...new Set(added.map(({ entity_id }) => entity_id!))];
  for (let from = 0; from < ids.length; from += MAX_IDS_PER_EVENT) {
    const entity_ids = ids.slice(from, from + MAX_IDS_PER_EVENT);
    tx.emit({ type: 'contact.imported', payload: { lead_list_id: listId, source, entity_ids } });
  }
}
