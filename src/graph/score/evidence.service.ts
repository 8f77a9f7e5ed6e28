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
import type { KeptClaim } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { additionsOf, logPropertiesOf } from '../observations/claim-additions.js';
import { HistoryService } from '../observations/history.service.js';
import {
  type ClaimRow,
  type EventRow,
  type OwnedIdentifier,
  readClaims,
  readEvents,
  readIdentifiers,
  readRelated,
  type RelatedRow,
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

const NO_FACTS: Facts = new Map();

/** Gathers what is known of entities, with the same few statements however many they are. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /** Evidence by canonical id. Four statements; one more when a statement about the future has just come due. */
  async gather(tx: Tx, ids: readonly string[], gathering: Gathering): Promise<Map<string, EntityEvidence>> {
    if (ids.length === 0) return new Map();
    const related = await readRelated(tx, ids);
    const described = idsOf(related, ['self', 'company']);
    const [facts, events, identifiers] = await Promise.all([
      this.factsOf(tx, described, gathering),
      readEvents(
        tx,
        idsOf(related, ['self', 'member', 'company', 'person']),
        eventsWanted(gathering.model),
        STRONGEST,
        gathering,
      ),
      readIdentifiers(tx, idsOf(related, ['self', 'member', 'company'])),
    ]);
    const eventsById = Map.groupBy(events, row => row.entity_id);
    const identifiersById = Map.groupBy(identifiers, row => row.entity_id);
    const bySubject = Map.groupBy(related, row => row.subject);
    return new Map(
      [...bySubject].map(([id, rows]) => [id, evidenceOf(id, rows, { facts, eventsById, identifiersById }, gathering)]),
    );
  }

  private async factsOf(tx: Tx, ids: readonly string[], gathering: Gathering): Promise<FactsById> {
    const { asOf, past, model } = gathering;
    const properties = propertiesWanted(model);
    const rules = this.claims.rulesOf(tx.workspace);
    if (past) return shown(rules, await this.foldedThen(tx, ids, properties, gathering), asOf);
    const rows = await readClaims(tx, ids, properties);
    const due = rows.filter(({ due_at }) => due_at !== null && Number(due_at) <= asOf);
    const keys = due.map(({ entity_id, property }) => ({ entityId: entity_id, property }));
    const fresh = due.length > 0 ? await this.history.foldedAnew(tx, keys, asOf) : [];
    const kept = rows.filter(row => row.confidence !== null && !due.includes(row));
    return merged(fromRows(rules, kept, asOf), shown(rules, fresh, asOf));
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

function fromRows(rules: ClaimRules, rows: readonly ClaimRow[], asOf: Instant): FactsById {
  const facts = rows.map(row => {
    const { entity_id, property, value, confidence, class: epistemicClass, supported_at: supportedAt, ref } = row;
    const claim = { property, value, confidence, epistemicClass, supportedAt, ref };
    return { entityId: entity_id, property, fact: factOf(rules, claim, asOf) };
  });
  return byEntity(facts);
}

function shown(rules: ClaimRules, states: readonly KeptClaim[], asOf: Instant): FactsById {
  const facts = states.flatMap(({ entityId, property, state }) => {
    const claim = projectClaim(rules, property, state);
    const ref = state.tracks[0]?.newest.id ?? null;
    return claim ? [{ entityId, property, fact: factOf(rules, { ...claim, property, ref }, asOf) }] : [];
  });
  return byEntity(facts);
}

interface Gathered {
  readonly facts: FactsById;
  readonly eventsById: ReadonlyMap<string, readonly EventRow[]>;
  readonly identifiersById: ReadonlyMap<string, readonly OwnedIdentifier[]>;
}

function evidenceOf(id: string, rows: readonly RelatedRow[], gathered: Gathered, { own }: Gathering): EntityEvidence {
  const { facts, eventsById, identifiersById } = gathered;
  const of = (...roles: RelatedRow['role'][]) => rows.flatMap(row => (roles.includes(row.role) ? [row.related] : []));
  const person = facts.get(id) ?? NO_FACTS;
  const [companyId] = of('company');
  const company = companyId === undefined ? person : (facts.get(companyId) ?? NO_FACTS);
  const named = (ids: readonly string[]) => ids.flatMap(each => identifiersById.get(each) ?? []);
  const events = rows.flatMap(({ related }) => (eventsById.get(related) ?? []).map(eventOf));
  const reach = reachOf(named(of('self', 'member')), person, own, named(of('company')));
  return { evidence: { person, company, events, inline: false, ...reach }, lastScore: person.get('lead_score') };
}

function eventOf({ id, property, observed_at }: EventRow): KnownEvent {
  return { type: canonicalEvent(property).slice(EVENT_PREFIX.length), at: observed_at, ref: id };
}

function idsOf(related: readonly RelatedRow[], roles: readonly RelatedRow['role'][]): string[] {
  return [...new Set(related.filter(({ role }) => roles.includes(role)).map(row => row.related))];
}

function byEntity(all: readonly { entityId: string; property: string; fact: KnownFact }[]): FactsById {
  const groups = Map.groupBy(all, ({ entityId }) => entityId);
  return new Map([...groups].map(([id, own]) => [id, new Map(own.map(each => [each.property, each.fact]))]));
}

function merged(one: FactsById, other: FactsById): FactsById {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return new Map([...ids].map(id => [id, new Map([...(one.get(id) ?? []), ...(other.get(id) ?? [])])]));
}
