import { Injectable } from '@nestjs/common';
import type { LoggedEvent } from '#domain/context/activity.js';
import type { OwnedClaim } from '#domain/context/claim-candidates.js';
import type { Member } from '#domain/context/committee.js';
import { PRESETS } from '#domain/context/intents.js';
import { type NotePassage, passagesOf, type WorkspacePassage } from '#domain/context/other-candidates.js';
import { PROFILE } from '#domain/facts/sections.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import type { ShownClaim } from '../accounts/account.js';
import { type KnownEntity, readKnownEntity } from '../accounts/accounts.queries.js';
import { readNewestEvents } from '../accounts/activity.queries.js';
import { ClaimReader } from '../accounts/claim-reader.service.js';
import { memberOf } from '../accounts/company-people.queries.js';
import { CompanyPeople } from '../accounts/company-people.service.js';
import { FactsService } from '../facts/facts.service.js';
import { holdersOf } from '../notes/notes.list.queries.js';
import { findNotes, readNewestNotes } from './context.queries.js';
import type { ContextRequest } from './context-request.js';

/** Everything that context is put together from. */
export interface Material {
  readonly entity: KnownEntity;
  readonly name: string | null;
  /** Of the entity and of its company, each with the values that held before. */
  readonly claims: readonly (ShownClaim & OwnedClaim)[];
  readonly events: readonly LoggedEvent[];
  readonly notes: readonly NotePassage[];
  readonly workspace: readonly WorkspacePassage[];
  /** The people of the company, where the intent wants them. */
  readonly people: readonly Member[];
}

/** Events that are looked at. */
const EVENTS = 200;

/** Reads what context is put together from: a dozen statements in two round trips, however much there is. */
@Injectable()
export class MaterialService {
  constructor(
    private readonly claims: ClaimReader,
    private readonly facts: FactsService,
    private readonly people: CompanyPeople,
  ) {}

  /** @param id canonical. @throws HubError `entity_not_found`. */
  async gather(tx: Tx, id: string, request: ContextRequest): Promise<Material> {
    const now = await tx.now();
    const horizon = { asOf: request.asOf ?? now, knownAt: request.knownAt ?? now };
    const { include } = request;
    const [entity, own, events, workspace, holders] = await Promise.all([
      readKnownEntity(tx, id),
      this.claims.read(tx, id, request, true),
      include.has('timeline') ? readNewestEvents(tx, id, horizon, EVENTS) : [],
      include.has('workspace') ? this.workspacePassages(tx, request) : [],
      include.has('notes') ? holdersOf(tx, [id]) : [],
    ]);
    if (!entity) throw HubError.entityNotFound();
    const companyId = entity.type === 'company' ? entity.id : entity.company_id;
    const wantsCompany = include.has('company') && companyId !== null;
    const [ofCompany, people, notes] = await Promise.all([
      wantsCompany && companyId !== id ? this.claims.read(tx, companyId, request, true) : undefined,
      wantsCompany && PRESETS[request.intent].people ? this.people.read(tx, companyId, request) : [],
      include.has('notes') ? notesOf(tx, holders, request) : [],
    ]);
    return {
      entity,
      name: own.name,
      claims: [...owned(own.claims, 'self'), ...owned(ofCompany?.claims ?? [], 'company')],
      events,
      notes,
      workspace,
      people: people.map(memberOf),
    };
  }

  private async workspacePassages(tx: Tx, { asOf }: ContextRequest): Promise<WorkspacePassage[]> {
    const sections = await this.facts.current(tx, undefined, asOf);
    return [...sections].flatMap(([section, { content }]) => (section === PROFILE ? [] : passagesOf(section, content)));
  }
}

/** The notes that the task is about, then the newest, each once. */
async function notesOf(tx: Tx, holders: readonly string[], request: ContextRequest): Promise<NotePassage[]> {
  const { task, asOf, knownAt } = request;
  const isNow = asOf === undefined && knownAt === undefined;
  const [found, newest] = await Promise.all([
    task !== undefined && isNow ? findNotes(tx, holders, task) : [],
    readNewestNotes(tx, holders, { asOf, knownAt }),
  ]);
  const ids = new Set(found.map(({ id }) => id));
  return [...found, ...newest.filter(({ id }) => !ids.has(id))];
}

function owned(claims: readonly ShownClaim[], of: OwnedClaim['of']): (ShownClaim & OwnedClaim)[] {
  return claims.map(claim => ({ ...claim, of }));
}
