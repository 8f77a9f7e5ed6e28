import { Injectable } from '@nestjs/common';
import { projectClaim } from '#domain/claims/project-claim.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { EVENT_PREFIX } from '#domain/observation/observation.js';
import { canonicalEvent } from '#domain/properties/registry.js';
import type { Evidence, Facts, KnownEvent, KnownFact } from '#domain/score/evidence.js';
import { factOf } from '#domain/score/facts-from-claims.js';
import { STRONGEST } from '#domain/score/intent-layer.js';
import type { IcpModel } from '#domain/score/model.js';
import { reachOf } from '#domain/score/standing.js';
import { eventsWanted, propertiesWanted } from '#domain/score/wanted.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, KeptClaim } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { additionsOf, logPropertiesOf } from '../observations/claim-additions.js';
import { HistoryService } from '../observations/history.service.js';
import {
  type ClaimInRow,
  type EventInRow,
  readEvidence,
  type RelatedRow,
  type Role,
  ROLES,
} from './evidence.queries.js';
import { readPast } from './past.queries.js';

/** What leads are looked at with, and as of when. */
export interface Gathering {
  readonly model: IcpModel;
  /** Registrable domains of the workspace itself. */
  readonly own: ReadonlySet<string>;
  readonly asOf: Instant;
  readonly knownAt: Instant;
  /** Whether another time than now is meant, so that kept claims do not serve. */
  readonly past: boolean;
}

/** Evidence about an entity, and the score that it has been given before. */
export interface EntityEvidence {
  readonly evidence: Evidence;
  readonly lastScore: KnownFact | undefined;
}

type FactsById = ReadonlyMap<string, Facts>;

/** What evidence about entities is made of. */
export interface Gathered {
  readonly related: readonly RelatedRow[];
  readonly facts: FactsById;
  readonly gathering: Gathering;
}

const NO_FACTS: Facts = new Map();

/** Gathers what is known of entities, with the same few statements however many they are. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /** Evidence by canonical id. One statement; one more for the past, or when a statement about the future has come due. */
  async gather(tx: Tx, ids: readonly string[], gathering: Gathering): Promise<Map<string, EntityEvidence>> {
    return this.evidenceIn(tx, await this.read(tx, ids, gathering));
  }

  /**
   * Reads what evidence is made of, with as many statements.
   * @param companies that people were just found to work for, by canonical id, and that is not kept yet.
   */
  async read(
    tx: Tx,
    ids: readonly string[],
    gathering: Gathering,
    companies: ReadonlyMap<string, string> = new Map(),
  ): Promise<Gathered> {
    if (ids.length === 0) return { related: [], facts: new Map(), gathering };
    const { model, past } = gathering;
    const properties = propertiesWanted(model);
    const wanted = { claims: past ? [] : properties, events: eventsWanted(model), most: STRONGEST, ...gathering };
    const related = await readEvidence(tx, ids, companies, wanted);
    return { related, facts: await this.factsOf(tx, related, properties, gathering), gathering };
  }

  /** Evidence by canonical id. @param folded claims that were changed since it was read. */
  evidenceIn(
    { workspace }: Pick<Tx, 'workspace'>,
    { related, facts: read, gathering }: Gathered,
    folded: readonly KeptClaim[] = [],
  ): Map<string, EntityEvidence> {
    const wanted = new Set(propertiesWanted(gathering.model));
    const changed = folded.filter(({ property }) => wanted.has(property));
    const now = shown(this.claims.rulesOf(workspace), changed, gathering.asOf);
    const facts = changed.length > 0 ? merged(without(read, changed), now) : read;
    const relations = related.flatMap(row => row.roles.map(role => ({ ...role, row })));
    return new Map(
      [...Map.groupBy(relations, ({ subject }) => subject)].map(([id, own]) => {
        const ordered = own.toSorted((a, b) => ROLES.indexOf(a.as) - ROLES.indexOf(b.as));
        return [id, evidenceOf(id, ordered, facts, gathering)];
      }),
    );
  }

  private async factsOf(
    tx: Tx,
    related: readonly RelatedRow[],
    properties: readonly string[],
    gathering: Gathering,
  ): Promise<FactsById> {
    const { asOf, past } = gathering;
    const rules = this.claims.rulesOf(tx.workspace);
    if (past) {
      const described = related.filter(({ roles }) => roles.some(role => role.as === 'self' || role.as === 'company'));
      const ids = described.map(({ id }) => id);
      return shown(rules, await this.foldedThen(tx, ids, properties, gathering), asOf);
    }
    const claims = related.flatMap(({ id, claims: own }) => (own ?? []).map(claim => ({ entityId: id, ...claim })));
    const due = claims.filter(claim => claim.due !== null && claim.due <= asOf);
    const fresh = due.length > 0 ? await this.history.foldedAnew(tx, due, asOf) : [];
    return merged(fromRows(rules, claims.filter(isKept(due)), asOf), shown(rules, fresh, asOf));
  }

  private async foldedThen(
    tx: Tx,
    ids: readonly string[],
    properties: readonly string[],
    horizon: Gathering,
  ): Promise<KeptClaim[]> {
    const logged = [...new Set(properties.flatMap(logPropertiesOf))];
    const additions = additionsOf(await readPast(tx, ids, logged, horizon));
    return additions.map(addition => this.claims.foldAnew(tx.workspace, addition, horizon.asOf));
  }
}

type Claim = ClaimInRow & { readonly entityId: string };
type KeptRow = Claim & { readonly confidence: number };

/** Whether something counts of a claim as it is kept. */
function isKept(due: readonly Claim[]): (claim: Claim) => claim is KeptRow {
  const overdue = new Set(due);
  return (claim): claim is KeptRow => claim.confidence !== null && !overdue.has(claim);
}

function fromRows(rules: ClaimRules, claims: readonly KeptRow[], asOf: Instant): FactsById {
  const facts = claims.map(({ entityId, property, value, confidence, class: epistemicClass, at, ref }) => {
    const claim = { property, value, confidence, epistemicClass, supportedAt: at, ref };
    return { entityId, property, fact: factOf(rules, claim, asOf) };
  });
  return byEntity(facts);
}

function shown(rules: ClaimRules, states: readonly KeptClaim[], asOf: Instant): FactsById {
  const facts = states.flatMap(({ entityId, property, state }) => {
    const claim = projectClaim(rules, property, state);
    return claim
      ? [{ entityId, property, fact: factOf(rules, { ...claim, property, ref: claim.topObservationId }, asOf) }]
      : [];
  });
  return byEntity(facts);
}

/** Somebody who counts as evidence, and as what. */
type Relation = Role & { readonly row: RelatedRow };

function evidenceOf(id: string, relations: readonly Relation[], facts: FactsById, { own }: Gathering): EntityEvidence {
  const as = (...roles: Role['as'][]) => relations.flatMap(({ as: role, row }) => (roles.includes(role) ? [row] : []));
  const person = facts.get(id) ?? NO_FACTS;
  const employer = as('company');
  const company = employer[0] ? (facts.get(employer[0].id) ?? NO_FACTS) : person;
  const named = (rows: readonly RelatedRow[]) => rows.flatMap(({ identifiers }) => identifiers ?? []);
  const events = relations.flatMap(({ row }) => (row.events ?? []).map(eventOf));
  const reach = reachOf(named(as('self', 'member')), person, own, named(employer));
  return { evidence: { person, company, events, inline: false, ...reach }, lastScore: person.get('lead_score') };
}

function eventOf({ id, property, at }: EventInRow): KnownEvent {
  return { type: canonicalEvent(property).slice(EVENT_PREFIX.length), at, ref: id };
}

function byEntity(all: readonly { entityId: string; property: string; fact: KnownFact }[]): FactsById {
  const groups = Map.groupBy(all, ({ entityId }) => entityId);
  return new Map([...groups].map(([id, own]) => [id, new Map(own.map(each => [each.property, each.fact]))]));
}

function without(facts: FactsById, claims: readonly ClaimKey[]): FactsById {
  const gone = Map.groupBy(claims, ({ entityId }) => entityId);
  return new Map(
    [...facts].map(([id, own]) => {
      const properties = new Set(gone.get(id)?.map(({ property }) => property));
      return [id, properties.size > 0 ? new Map([...own].filter(([property]) => !properties.has(property))) : own];
    }),
  );
}

function merged(one: FactsById, other: FactsById): FactsById {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return new Map([...ids].map(id => [id, new Map([...(one.get(id) ?? []), ...(other.get(id) ?? [])])]));
}
