import { Injectable } from '@nestjs/common';
import { projectClaim } from '#domain/claims/fold.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { EVENT_PREFIX } from '#domain/observation/observation.js';
import { canonicalEvent } from '#domain/properties/registry.js';
import {
  type Evidence,
  expireEarlierTenure,
  type FactMap,
  type KnownEvent,
  type KnownFact,
  toKnownFact,
} from '#domain/score/evidence.js';
import { MAX_SIGNALS_PER_TYPE } from '#domain/score/intent-layer.js';
import type { IcpModel } from '#domain/score/model.js';
import { computeReachability } from '#domain/score/reachability.js';
import { listRequiredEvents, listRequiredProperties } from '#domain/score/missing-facts.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, StoredClaim } from '../claims/claims.queries.js';
import {
  groupStatementsByClaim,
  listLinkedProperties,
  logPropertiesFor,
  ClaimsService,
} from '../claims/claims.service.js';
import { HistoryService } from '../observations/history.service.js';
import {
  type EvidenceClaimRow,
  type EvidenceEventRow,
  readEvidence,
  type RelatedRow,
  type EvidenceRole,
  EVIDENCE_ROLES,
  readStatementHistory,
} from './evidence.queries.js';

/** The model whose facts are read, and the point in time. */
export interface EvidenceRequest {
  readonly model: IcpModel;
  /** Registrable domains of the workspace itself. */
  readonly own: ReadonlySet<string>;
  readonly asOf: Instant;
  readonly knownAt: Instant;
  /** Whether the time is not now, so that claims are folded from the log instead of read from storage. */
  readonly past: boolean;
}

/** Evidence about an entity, and its last recorded score. */
export interface EntityEvidence {
  readonly evidence: Evidence;
  readonly lastScore: KnownFact | undefined;
}

type FactsById = ReadonlyMap<string, FactMap>;

/** The data that evidence is built from. */
export interface EvidenceSet {
  readonly related: readonly RelatedRow[];
  readonly facts: FactsById;
  readonly request: EvidenceRequest;
}

const NO_FACTS: FactMap = new Map();

/** Gathers evidence about entities. The number of statements does not depend on the number of entities. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /** Returns evidence by canonical ID. One statement, and another for the past or if a statement about the future is due. */
  async gather(tx: Tx, ids: readonly string[], request: EvidenceRequest): Promise<Map<string, EntityEvidence>> {
    return this.buildEvidence(tx, await this.read(tx, ids, request));
  }

  /**
   * Reads the data that evidence is built from, with one or two statements as {@link gather}.
   * @param companies company IDs by canonical ID, for people whose company is not stored yet.
   */
  async read(
    tx: Tx,
    ids: readonly string[],
    request: EvidenceRequest,
    companies: ReadonlyMap<string, string> = new Map(),
  ): Promise<EvidenceSet> {
    if (ids.length === 0) return { related: [], facts: new Map(), request };
    const { model, past } = request;
    const properties = listRequiredProperties(model);
    const query = {
      claims: past ? [] : properties,
      events: listRequiredEvents(model),
      maxEvents: MAX_SIGNALS_PER_TYPE,
      ...request,
    };
    const related = await readEvidence(tx, ids, companies, query);
    return { related, facts: await this.readFacts(tx, related, properties, request), request };
  }

  /** Builds evidence by canonical ID. @param folded claims that changed since the data was read. */
  buildEvidence(
    { workspace }: Pick<Tx, 'workspace'>,
    { related, facts: read, request }: EvidenceSet,
    folded: readonly StoredClaim[] = [],
  ): Map<string, EntityEvidence> {
    const required = new Set(listRequiredProperties(request.model));
    const changed = folded.filter(({ property }) => required.has(property));
    const now = factsFromStates(this.claims.rulesOf(workspace), changed, request.asOf);
    const facts = changed.length > 0 ? mergeFacts(withoutClaims(read, changed), now) : read;
    const relations = related.flatMap(row => row.roles.map(role => ({ ...role, row })));
    return new Map(
      [...Map.groupBy(relations, ({ subject }) => subject)].map(([id, group]) => {
        const ordered = group.toSorted((a, b) => EVIDENCE_ROLES.indexOf(a.as) - EVIDENCE_ROLES.indexOf(b.as));
        return [id, toEntityEvidence(id, ordered, facts, request)];
      }),
    );
  }

  private async readFacts(
    tx: Tx,
    related: readonly RelatedRow[],
    properties: readonly string[],
    request: EvidenceRequest,
  ): Promise<FactsById> {
    const { asOf, past } = request;
    const rules = this.claims.rulesOf(tx.workspace);
    if (past) {
      const described = related.filter(({ roles }) => roles.some(role => role.as === 'self' || role.as === 'company'));
      const ids = described.map(({ id }) => id);
      return factsFromStates(rules, await this.rebuildAsOf(tx, ids, properties, request), asOf);
    }
    const claims = related.flatMap(({ id, claims: rows }) => (rows ?? []).map(claim => ({ entityId: id, ...claim })));
    const due = claims.filter(claim => claim.due !== null && claim.due <= asOf);
    const rebuilt = due.length > 0 ? await this.history.rebuild(tx, due, asOf) : [];
    const required = rebuilt.filter(({ property }) => properties.includes(property));
    return mergeFacts(factsFromRows(rules, claims.filter(isUsable(due)), asOf), factsFromStates(rules, required, asOf));
  }

  private async rebuildAsOf(
    tx: Tx,
    ids: readonly string[],
    properties: readonly string[],
    horizon: EvidenceRequest,
  ): Promise<StoredClaim[]> {
    const logged = [...new Set(properties.flatMap(listLinkedProperties).flatMap(logPropertiesFor))];
    const additions = groupStatementsByClaim(await readStatementHistory(tx, ids, logged, horizon));
    const folded = await this.claims.rebuild(tx.workspace, additions, horizon.asOf);
    return folded.filter(({ property }) => properties.includes(property));
  }
}

type EntityClaimRow = EvidenceClaimRow & { readonly entityId: string };
type UsableClaimRow = EntityClaimRow & { readonly confidence: number };

/** Returns a predicate for stored claims that have a confidence and are not due to be folded again. */
function isUsable(due: readonly EntityClaimRow[]): (claim: EntityClaimRow) => claim is UsableClaimRow {
  const overdue = new Set(due);
  return (claim): claim is UsableClaimRow => claim.confidence !== null && !overdue.has(claim);
}

function factsFromRows(rules: ClaimRules, claims: readonly UsableClaimRow[], asOf: Instant): FactsById {
  const facts = claims.map(({ entityId, property, value, confidence, class: epistemicClass, at, ref, tenure }) => {
    const claim = { property, value, confidence, epistemicClass, supportedAt: at, ref, tenure };
    return { entityId, property, fact: toKnownFact(rules, claim, asOf) };
  });
  return groupByEntity(facts);
}

function factsFromStates(rules: ClaimRules, states: readonly StoredClaim[], asOf: Instant): FactsById {
  const facts = states.flatMap(({ entityId, property, state }) => {
    const claim = projectClaim(rules, property, state);
    return claim
      ? [{ entityId, property, fact: toKnownFact(rules, { ...claim, property, ref: claim.topObservationId }, asOf) }]
      : [];
  });
  return groupByEntity(facts);
}

/** An entity that counts as evidence, with its role. */
type Relation = EvidenceRole & { readonly row: RelatedRow };

function toEntityEvidence(
  id: string,
  relations: readonly Relation[],
  facts: FactsById,
  { own }: EvidenceRequest,
): EntityEvidence {
  const as = (...roles: EvidenceRole['as'][]) =>
    relations.flatMap(({ as: role, row }) => (roles.includes(role) ? [row] : []));
  const person = expireEarlierTenure(facts.get(id) ?? NO_FACTS);
  const employer = as('company');
  const company = employer[0] ? (facts.get(employer[0].id) ?? NO_FACTS) : person;
  const identifiersOf = (rows: readonly RelatedRow[]) => rows.flatMap(({ identifiers }) => identifiers ?? []);
  const events = relations.flatMap(({ row }) => (row.events ?? []).map(toKnownEvent));
  const reach = computeReachability(identifiersOf(as('self', 'member')), person, own, identifiersOf(employer));
  return { evidence: { person, company, events, inline: false, ...reach }, lastScore: person.get('lead_score') };
}

function toKnownEvent({ id, property, at }: EvidenceEventRow): KnownEvent {
  return { type: canonicalEvent(property).slice(EVENT_PREFIX.length), at, ref: id };
}

function groupByEntity(all: readonly { entityId: string; property: string; fact: KnownFact }[]): FactsById {
  const groups = Map.groupBy(all, ({ entityId }) => entityId);
  return new Map([...groups].map(([id, group]) => [id, new Map(group.map(each => [each.property, each.fact]))]));
}

function withoutClaims(facts: FactsById, claims: readonly ClaimKey[]): FactsById {
  const removed = Map.groupBy(claims, ({ entityId }) => entityId);
  return new Map(
    [...facts].map(([id, map]) => {
      const properties = new Set(removed.get(id)?.map(({ property }) => property));
      return [id, properties.size > 0 ? new Map([...map].filter(([property]) => !properties.has(property))) : map];
    }),
  );
}

function mergeFacts(one: FactsById, other: FactsById): FactsById {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return new Map([...ids].map(id => [id, new Map([...(one.get(id) ?? []), ...(other.get(id) ?? [])])]));
}
