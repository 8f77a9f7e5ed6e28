import { Injectable } from '@nestjs/common';
import type { Intent } from '#domain/context/intents.js';
import { type EntityType, isPrecise, parseFocus } from '#domain/identity/focus.js';
import { activityOf } from '#domain/observation/activity.js';
import type { Scale } from '#domain/score/bands.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { type Ambiguous, FinderService } from '../identity/finder.service.js';
import { readAccountNotes } from '../notes/account-notes.js';
import { HistoryService } from '../observations/history.service.js';
import { type Account, type ShownClaim, showEntity, showIdentifier, showObservation } from './account.js';
import { factsOf } from './account-facts.js';
import { type EntityRow, readEntity, readIdentifiers, readTimeline } from './accounts.queries.js';
import { ClaimReader } from './claim-reader.service.js';
import { countCompanyPeople, MOST_PEOPLE, type PersonRow, showPerson } from './company-people.queries.js';
import { CompanyPeople } from './company-people.service.js';
import { cursorOf, placeOf } from './cursor.js';
import { readDigest } from './digest.js';
import { scaleOf } from '../facts/workspace-scale.js';
import { icpOf } from './shown-icp.js';

/** What of an account is wanted, and as of when. */
export interface AccountRequest {
  /** Narrow a name down. */
  readonly type?: EntityType;
  readonly company?: string;
  /** Observations on a page. */
  readonly limit: number;
  readonly cursor?: string;
  /** Whether claims carry the values that held before. */
  readonly history: boolean;
  readonly claims: 'map' | 'list';
  /** What the account is read for: adds what matters for that. */
  readonly intent?: Intent;
  /** What matters instead of the timeline. */
  readonly compress?: boolean;
  /** Valid time: what was the case then. Default now. */
  readonly asOf?: Instant;
  /** System time: what was known then. Default now. */
  readonly knownAt?: Instant;
}

/** Reads whole accounts: who it is, what is claimed and on what grounds, and what happened. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: FinderService,
    private readonly claims: ClaimReader,
    private readonly history: HistoryService,
    private readonly people: CompanyPeople,
  ) {}

  /**
   * The account of an entity, by any identifier form; for a name that several bear, the candidates.
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`.
   */
  read(workspace: string, id: string, request: AccountRequest): Promise<Account | Ambiguous> {
    const read = async (tx: Tx) => {
      const found = await this.finder.find(tx, id, request);
      if (typeof found !== 'string') return found;
      const { entity_id, ...account } = await this.accountOf(tx, found, request);
      return { entity_id, ...(isOtherId(id, found) && { merged_into: found }), ...account };
    };
    return this.work.run(workspace, read, { keepPlans: isPlain(id, request) });
  }

  private async accountOf(tx: Tx, id: string, request: AccountRequest): Promise<Account> {
    const now = await tx.now();
    const { asOf = now, knownAt = now, limit, cursor } = request;
    const after = cursor === undefined ? undefined : placeOf(cursor, id);
    const [entity, identifiers, { claims, name }, page, { notes, documents }] = await Promise.all([
      this.entityOf(tx, id, now, request),
      readIdentifiers(tx, id),
      this.claims.read(tx, id, request, request.history),
      readTimeline(tx, id, { limit: limit + 1, after, asOf, knownAt }),
      readAccountNotes(tx, id, { asOf: request.asOf, knownAt: request.knownAt }),
    ]);
    const rows = page.slice(0, limit);
    const last = page.length > limit ? rows.at(-1) : undefined;
    const isCompany = entity.type === 'company';
    const people = isCompany ? await this.people.read(tx, id, request) : [];
    const wantsDigest = request.intent !== undefined || request.compress;
    return {
      entity_id: id,
      type: entity.type,
      name,
      entity: showEntity({ ...entity, name }),
      identifiers: identifiers.filter(row => row.first_seen <= knownAt).map(showIdentifier),
      claims: request.claims === 'list' ? flat(claims) : Object.fromEntries(claims.map(c => [c.property, c])),
      ...(!request.compress && { recent_observations: rows.map(showObservation) }),
      notes,
      documents,
      facts: factsOf(claims),
      ...scoreOf(claims, scaleOf(tx.workspace)),
      ...(isCompany && { people: people.map(showPerson), people_count: await peopleCountOf(tx, id, people.length) }),
      ...(wantsDigest && (await this.digestOf(tx, entity, people, request))),
      limit,
      has_more: last !== undefined,
      next_cursor: last ? cursorOf({ entityId: id, observedAt: last.observed_at, id: last.id }) : null,
      as_of: toIso(asOf),
      known_at: toIso(knownAt),
    };
  }

  private async digestOf(tx: Tx, entity: EntityRow, ofCompany: readonly PersonRow[], request: AccountRequest) {
    const now = await tx.now();
    const horizon = { asOf: request.asOf ?? now, knownAt: request.knownAt ?? now };
    const colleagues = entity.company_id === null ? [] : await this.people.read(tx, entity.company_id, request);
    return readDigest(tx, entity, entity.type === 'company' ? ofCompany : colleagues, horizon, request.intent);
  }

  private async entityOf(tx: Tx, id: string, now: Instant, { asOf, knownAt }: AccountRequest): Promise<EntityRow> {
    const entity = await readEntity(tx, id);
    if (!entity) throw HubError.entityNotFound();
    if (asOf === undefined && knownAt === undefined) return entity;
    const events = await this.history.eventsOf(tx, id, { asOf, knownAt });
    const { first, last, lastInbound } = activityOf(events, asOf ?? now);
    return { ...entity, first_activity_at: first, last_activity_at: last, last_inbound_activity_at: lastInbound };
  }
}

function scoreOf(claims: readonly ShownClaim[], scale: Scale): Pick<Account, 'icp'> {
  const icp = icpOf(claims, scale);
  return icp ? { icp } : {};
}

/** Counts only where more than a page of them was read. */
async function peopleCountOf(tx: Tx, id: string, read: number): Promise<number> {
  return read < MOST_PEOPLE ? read : countCompanyPeople(tx, id);
}

/** The read that comes most often is nothing but look-ups, whose plans serve every account. */
function isPlain(id: string, { asOf, knownAt, intent, compress }: AccountRequest): boolean {
  const isNow = asOf === undefined && knownAt === undefined;
  return isNow && intent === undefined && !compress && isPrecise(parseFocus(id));
}

function isOtherId(asked: string, found: string): boolean {
  const focus = parseFocus(asked);
  return focus.form === 'uuid' && focus.id !== found;
}

/** One entry per value: a property of many values is taken apart. */
function flat(claims: readonly ShownClaim[]): ShownClaim[] {
  return claims.flatMap(claim => claim.values?.map(value => ({ entity_id: claim.entity_id, ...value })) ?? [claim]);
}
