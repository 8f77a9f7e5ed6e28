import { Injectable } from '@nestjs/common';
import type { Intent } from '#domain/context/intents.js';
import { type EntityType, isPrecise, parseFocus } from '#domain/identity/focus.js';
import { computeActivity } from '#domain/observation/interaction-events.js';
import type { ScoreScale } from '#domain/score/bands.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { readAccountNotes } from '../notes/notes-list.queries.js';
import { HistoryService } from '../observations/history.service.js';
import {
  type AccountResponse,
  type PresentedClaim,
  presentEntity,
  presentIdentifier,
  presentObservation,
  toFactSentences,
  readSummary,
  presentIcp,
} from './accounts.presenter.js';
import { type AccountEntityRow, readEntity, readEntityIdentifiers } from './accounts.queries.js';
import { readTimeline, encodeTimelineCursor, decodeTimelineCursor } from './timeline.queries.js';
import { ClaimReaderService } from './claim-reader.service.js';
import {
  countCompanyPeople,
  MAX_COMPANY_PEOPLE,
  type CompanyPersonRow,
  presentPerson,
  CompanyPeopleService,
} from './company-people.service.js';
import { ScaleCache } from '../facts/facts.caches.js';

/** Options of an account read. */
export interface AccountRequest {
  /** With `company`: disambiguates a name. */
  readonly type?: EntityType;
  readonly company?: string;
  /** Maximum number of observations on a page. */
  readonly limit: number;
  readonly cursor?: string;
  /** Whether claims include their previous values. */
  readonly history: boolean;
  readonly claims: 'map' | 'list';
  /** Purpose of the read: adds the summary and sizes its key activity. */
  readonly intent?: Intent;
  /** Returns the summary instead of the timeline. */
  readonly compress?: boolean;
  /** Valid time: the facts as they were then. Defaults to now. */
  readonly asOf?: Instant;
  /** System time: only what had been recorded by then. Defaults to now. */
  readonly knownAt?: Instant;
}

/** Reads accounts: entity, identifiers, claims with their sources, notes and timeline. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly claims: ClaimReaderService,
    private readonly history: HistoryService,
    private readonly people: CompanyPeopleService,
    private readonly scales: ScaleCache,
  ) {}

  /**
   * Returns the account of an entity, or the candidates if a name matches several entities.
   * @param id any identifier form, or a name.
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`.
   */
  read(workspace: string, id: string, request: AccountRequest): Promise<AccountResponse | AmbiguousName> {
    const read = async (tx: Tx) => {
      const found = await this.entities.resolve(tx, id, request);
      if (typeof found !== 'string') return found;
      const { entity_id, ...account } = await this.buildAccount(tx, found, request);
      return { entity_id, ...(isOtherId(id, found) && { merged_into: found }), ...account };
    };
    return this.work.run(workspace, read, { useGenericPlans: isPlainRead(id, request) });
  }

  private async buildAccount(tx: Tx, id: string, request: AccountRequest): Promise<AccountResponse> {
    const now = await tx.now();
    const { asOf = now, knownAt = now, limit, cursor } = request;
    const after = cursor === undefined ? undefined : decodeTimelineCursor(cursor, id);
    const [entity, identifiers, { claims, name, addressStatuses }, page, { notes, documents }] = await Promise.all([
      this.loadEntity(tx, id, now, request),
      readEntityIdentifiers(tx, id),
      this.claims.read(tx, id, request, request.history),
      readTimeline(tx, id, { limit: limit + 1, after, asOf, knownAt }),
      readAccountNotes(tx, id, { asOf: request.asOf, knownAt: request.knownAt }),
    ]);
    const rows = page.slice(0, limit);
    const last = page.length > limit ? rows.at(-1) : undefined;
    const isCompany = entity.type === 'company';
    const people = isCompany ? await this.people.read(tx, id, request) : [];
    const includesSummary = request.intent !== undefined || request.compress;
    return {
      entity_id: id,
      type: entity.type,
      name,
      entity: presentEntity({ ...entity, name }),
      identifiers: identifiers
        .filter(row => row.first_seen <= knownAt)
        .map(row => presentIdentifier(row, addressStatuses.get(row.key))),
      claims: request.claims === 'list' ? flattenClaims(claims) : Object.fromEntries(claims.map(c => [c.property, c])),
      ...(!request.compress && { recent_observations: rows.map(presentObservation) }),
      notes,
      documents,
      facts: toFactSentences(claims),
      ...presentScore(claims, this.scales.get(tx.workspace)),
      ...(isCompany && { people: people.map(presentPerson), people_count: await countPeople(tx, id, people.length) }),
      ...(includesSummary && (await this.readSummary(tx, entity, people, request))),
      limit,
      has_more: last !== undefined,
      next_cursor: last ? encodeTimelineCursor({ entityId: id, observedAt: last.observed_at, id: last.id }) : null,
      as_of: toIso(asOf),
      known_at: toIso(knownAt),
    };
  }

  private async readSummary(
    tx: Tx,
    entity: AccountEntityRow,
    companyPeople: readonly CompanyPersonRow[],
    request: AccountRequest,
  ) {
    const now = await tx.now();
    const horizon = { asOf: request.asOf ?? now, knownAt: request.knownAt ?? now };
    const colleagues = entity.company_id === null ? [] : await this.people.read(tx, entity.company_id, request);
    return readSummary(tx, entity, entity.type === 'company' ? companyPeople : colleagues, horizon, request.intent);
  }

  private async loadEntity(
    tx: Tx,
    id: string,
    now: Instant,
    { asOf, knownAt }: AccountRequest,
  ): Promise<AccountEntityRow> {
    const entity = await readEntity(tx, id);
    if (!entity) throw HubError.entityNotFound();
    if (asOf === undefined && knownAt === undefined) return entity;
    const events = await this.history.readEvents(tx, id, { asOf, knownAt });
    const { first, last, lastInbound } = computeActivity(events, asOf ?? now);
    return { ...entity, first_activity_at: first, last_activity_at: last, last_inbound_activity_at: lastInbound };
  }
}

function presentScore(claims: readonly PresentedClaim[], scale: ScoreScale): Pick<AccountResponse, 'icp'> {
  const icp = presentIcp(claims, scale);
  return icp ? { icp } : {};
}

/** Returns the number of people of a company. Queries it only if the limit of the read was reached. */
async function countPeople(tx: Tx, id: string, rowCount: number): Promise<number> {
  return rowCount < MAX_COMPANY_PEOPLE ? rowCount : countCompanyPeople(tx, id);
}

/** Returns whether a read consists of index look-ups only, so that its generic plans suit every account. */
function isPlainRead(id: string, { asOf, knownAt, intent, compress }: AccountRequest): boolean {
  const isNow = asOf === undefined && knownAt === undefined;
  return isNow && intent === undefined && !compress && isPrecise(parseFocus(id));
}

function isOtherId(requestedId: string, canonicalId: string): boolean {
  const focus = parseFocus(requestedId);
  return focus.form === 'uuid' && focus.id !== canonicalId;
}

/** Returns one entry per value, so a property with several values has several entries. */
function flattenClaims(claims: readonly PresentedClaim[]): PresentedClaim[] {
  return claims.flatMap(claim => claim.values?.map(value => ({ entity_id: claim.entity_id, ...value })) ?? [claim]);
}
