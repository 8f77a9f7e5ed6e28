import { Injectable } from '@nestjs/common';
import {
  type NotePassage,
  type OwnedClaim,
  splitSectionPassages,
  type WorkspacePassage,
} from '#domain/context/context-candidates.js';
import { extractSnippet } from '#domain/text/snippet.js';
import { buildQueryTerms } from '#domain/text/query-terms.js';
import { toIsoOrNull } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { LoggedEvent } from '#domain/context/key-activity.js';
import type { CommitteeMember } from '#domain/context/committee.js';
import { PRESETS } from '#domain/context/intents.js';
import { PROFILE_SECTION } from '#domain/facts/sections.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type NotesQueryTime, readNoteHolderIds } from '../notes/notes-list.queries.js';
import { searchTerms } from '../notes/search.queries.js';
import type { PresentedClaim } from '../accounts/accounts.presenter.js';
import {
  type EntityWithIdentifiers,
  readEntityWithIdentifiers,
  readNewestEvents,
} from '../accounts/accounts.queries.js';
import { ClaimReaderService } from '../accounts/claim-reader.service.js';
import { toCommitteeMember, CompanyPeopleService } from '../accounts/company-people.service.js';
import { FactsService } from '../facts/facts.service.js';
import type { ContextRequest } from './context-request.js';

/** Maximum number of notes per query. */
const MAX_NOTES = 8;

/** Maximum length of a note's snippet, in characters. */
const SNIPPET_LENGTH = 200;

/** Reads the newest notes of these entities with their beginnings only. One statement. */
export async function readNewestNotes(
  tx: Tx,
  entityIds: readonly string[],
  { asOf, knownAt }: NotesQueryTime,
): Promise<NotePassage[]> {
  const rows = await tx.query<NotePassage>(
    `SELECT n.id, n.entity_id, n.type, n.title, n.date::text AS date, n.source, left(n.content, ${SNIPPET_LENGTH * 4}) AS snippet
     FROM notes n
     WHERE n.workspace_id = $1 AND n.entity_id = ANY ($2::uuid[])
       AND n.date <= coalesce($3::timestamptz AT TIME ZONE 'UTC', 'infinity')
       AND n.created_at <= coalesce($4::timestamptz, 'infinity')
     ORDER BY n.date DESC, n.id DESC LIMIT ${MAX_NOTES}`,
    [tx.workspace, entityIds, toIsoOrNull(asOf), toIsoOrNull(knownAt)],
  );
  return rows.map(row => ({ ...row, snippet: extractSnippet(row.snippet, new Map(), SNIPPET_LENGTH) }));
}

/** Finds the notes of these entities that match a task best, each with its best passage. One statement. */
export async function findTaskNotes(tx: Tx, entityIds: readonly string[], task: string): Promise<NotePassage[]> {
  const terms = buildQueryTerms(task);
  const weights = new Map(terms.map(({ token, weight }) => [token, weight]));
  const found = await searchTerms(tx, terms, { entityIds, limit: MAX_NOTES });
  return found.map(({ id, entity_id, type, title, date, source, text }) => ({
    id,
    entity_id,
    type,
    title,
    date,
    source,
    snippet: extractSnippet(text, weights, SNIPPET_LENGTH),
  }));
}

/** The data that a context is composed from. */
export interface ContextSources {
  readonly entity: EntityWithIdentifiers;
  readonly name: string | null;
  /** Claims of the entity and of its company, with their previous values. */
  readonly claims: readonly (PresentedClaim & OwnedClaim)[];
  readonly events: readonly LoggedEvent[];
  readonly notes: readonly NotePassage[];
  readonly workspace: readonly WorkspacePassage[];
  /** The people of the company, if the intent includes them. */
  readonly people: readonly CommitteeMember[];
}

/** Maximum number of newest events that are considered. */
const MAX_EVENTS = 200;

/** Reads the sources of a context with a dozen statements in two round trips, whatever the amount of data. */
@Injectable()
export class ContextSourcesService {
  constructor(
    private readonly claims: ClaimReaderService,
    private readonly facts: FactsService,
    private readonly people: CompanyPeopleService,
  ) {}

  /** Reads the sources of an entity. @param id canonical ID. @throws HubError `entity_not_found`. */
  async read(tx: Tx, id: string, request: ContextRequest): Promise<ContextSources> {
    const now = await tx.now();
    const horizon = { asOf: request.asOf ?? now, knownAt: request.knownAt ?? now };
    const { include } = request;
    const [entity, own, events, workspace, holders] = await Promise.all([
      readEntityWithIdentifiers(tx, id),
      this.claims.read(tx, id, request, true),
      include.has('timeline') ? readNewestEvents(tx, id, horizon, MAX_EVENTS) : [],
      include.has('workspace') ? this.workspacePassages(tx, request) : [],
      include.has('notes') ? readNoteHolderIds(tx, [id]) : [],
    ]);
    if (!entity) throw HubError.entityNotFound();
    const companyId = entity.type === 'company' ? entity.id : entity.company_id;
    const includesCompany = include.has('company') && companyId !== null;
    const [companyClaims, people, notes] = await Promise.all([
      includesCompany && companyId !== id ? this.claims.read(tx, companyId, request, true) : undefined,
      includesCompany && PRESETS[request.intent].people ? this.people.read(tx, companyId, request) : [],
      include.has('notes') ? readNotes(tx, holders, request) : [],
    ]);
    return {
      entity,
      name: own.name,
      claims: [...withOwner(own.claims, 'self'), ...withOwner(companyClaims?.claims ?? [], 'company')],
      events,
      notes,
      workspace,
      people: people.map(toCommitteeMember),
    };
  }

  private async workspacePassages(tx: Tx, { asOf }: ContextRequest): Promise<WorkspacePassage[]> {
    const sections = await this.facts.readSections(tx, undefined, asOf);
    return [...sections].flatMap(([section, { content }]) =>
      section === PROFILE_SECTION ? [] : splitSectionPassages(section, content),
    );
  }
}

/** Reads the notes closest to the task, followed by the newest other notes. */
async function readNotes(tx: Tx, holders: readonly string[], request: ContextRequest): Promise<NotePassage[]> {
  const { task, asOf, knownAt } = request;
  const isNow = asOf === undefined && knownAt === undefined;
  const [found, newest] = await Promise.all([
    task !== undefined && isNow ? findTaskNotes(tx, holders, task) : [],
    readNewestNotes(tx, holders, { asOf, knownAt }),
  ]);
  const ids = new Set(found.map(({ id }) => id));
  return [...found, ...newest.filter(({ id }) => !ids.has(id))];
}

function withOwner(claims: readonly PresentedClaim[], of: OwnedClaim['of']): (PresentedClaim & OwnedClaim)[] {
  return claims.map(claim => ({ ...claim, of }));
}
