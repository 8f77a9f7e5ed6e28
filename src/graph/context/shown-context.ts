import { isSafe, refOfClaim } from '#domain/context/claim-candidates.js';
import { type Committee, committeeOf, type Stakeholder, stakeholderOf } from '#domain/context/committee.js';
import type { ComposedContext, ContextItem } from '#domain/context/compose.js';
import { gapsIn, gapsOf } from '#domain/context/gaps.js';
import { type Intent, PRESETS } from '#domain/context/intents.js';
import type { NotePassage } from '#domain/context/other-candidates.js';
import type { EntityType } from '#domain/identity/focus.js';
import { inWords, oneLine } from '#domain/observation/summary.js';
import type { Scale } from '#domain/score/bands.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { isFact } from '../accounts/account-facts.js';
import { type IcpRead, icpOf } from '../accounts/shown-icp.js';
import type { ContextRequest } from './context-request.js';
import type { Material } from './material.service.js';
import {
  type ContextClaim,
  type ContextFact,
  factsAmong,
  showContextClaim,
  type Told,
  toldOf,
} from './shown-claims.js';
import { type ContextEvent, timelineOf } from './shown-timeline.js';

/** The answer of a call for context. Groups hold what was chosen; `items` is its order. */
export interface ShownContext {
  readonly entity: {
    readonly id: string;
    readonly type: EntityType;
    readonly name: string | null;
    readonly company: { readonly id: string; readonly name: string | null; readonly domain: string | null } | null;
  };
  readonly intent: Intent;
  /** Who it is, and the three strongest claims. */
  readonly summary: string;
  readonly claims: readonly ContextClaim[];
  readonly workspace: readonly (Told & { readonly property: string; readonly value: string })[];
  readonly timeline: readonly ContextEvent[];
  readonly facts: readonly ContextFact[];
  readonly documents: readonly (Told & {
    readonly entity_id: string;
    readonly type: string;
    readonly title: string;
    readonly date: string;
    readonly source: string;
    readonly snippet: string;
  })[];
  readonly stakeholders: readonly Stakeholder[];
  readonly committee: Committee | null;
  readonly predictions: readonly never[];
  readonly icp?: IcpRead;
  readonly items: readonly Pick<ContextItem, 'ref_id' | 'kind' | 'score'>[];
  /** A block for a prompt, one line per item. */
  readonly text: string;
  /** Properties that the task or the intent asks for and nobody knows. */
  readonly gaps: readonly string[];
  /** Claims among the items that may be acted on without checking. */
  readonly safe_to_use: readonly string[];
  readonly meta: {
    /** Tokens of `text`. */
    readonly token_estimate: number;
    readonly budget: number;
    /** Things that had no room. */
    readonly truncated: number;
    readonly claims_total: number;
    readonly claims_returned: number;
    readonly timeline_events: number;
    /** How nearness to the task was judged. */
    readonly engine: 'lexical';
    readonly as_of: string;
    readonly known_at: string;
  };
}

/** Who somebody is, in one line. */
export function identityOf({ entity, name, claims }: Material): string {
  const own = new Map(claims.flatMap(claim => (claim.of === 'self' ? [[claim.property, claim.value] as const] : [])));
  const text = (property: string) => {
    const value = own.get(property);
    return typeof value === 'string' ? oneLine(value, 60) : undefined;
  };
  const called = oneLine(name ?? text('email') ?? handleOf(entity) ?? entity.id, 80);
  if (entity.type === 'company') return `${called} (company)`;
  const title = text('title');
  const company = entity.company_name ?? entity.company_domain ?? text('company');
  return `${called}${title ? `, ${title}` : ''}${company ? ` at ${oneLine(company, 60)}` : ''} (person)`;
}

/** The answer for what was put together. */
export function showContext(
  material: Material,
  { items, text, tokenCount, truncated }: ComposedContext,
  request: ContextRequest,
  { asOf, knownAt, scale }: { readonly asOf: Instant; readonly knownAt: Instant; readonly scale: Scale },
): ShownContext {
  const { entity, name, claims, people } = material;
  const told = new Map(items.map(item => [item.ref_id, toldOf(item, request.explain)]));
  const chosen = <T>(all: readonly T[], refOf: (one: T) => string) =>
    all.flatMap(one => (told.has(refOf(one)) ? [{ one, place: told.get(refOf(one))! }] : []));
  const toldClaims = chosen(claims, refOfClaim);
  const timeline = timelineOf(material.events, told, asOf);
  const icp = icpOf(
    claims.filter(({ of }) => of === 'self'),
    scale,
  );
  return {
    entity: { id: entity.id, type: entity.type, name, company: companyOf(material) },
    intent: request.intent,
    summary: summaryOf(material),
    claims: toldClaims
      .filter(({ one }) => !isFact(one))
      .map(({ one, place }) => showContextClaim(one, place))
      .sort(byPlaceIn(items)),
    workspace: chosen(material.workspace, ({ refId }) => refId)
      .map(({ one, place }) => ({ ...place, property: one.section, value: one.value }))
      .sort(byPlaceIn(items)),
    timeline,
    facts: factsAmong(claims, told),
    documents: chosen(material.notes, ({ id }) => id).map(showDocument),
    stakeholders: people.filter(({ entityId }) => entityId !== entity.id).map(stakeholderOf),
    committee: committeeOf(companyNameOf(material), people),
    predictions: [],
    ...(icp && { icp }),
    items: items.map(({ ref_id, kind, score }) => ({ ref_id, kind, score })),
    text,
    gaps: gapsFor(request, material),
    safe_to_use: toldClaims.filter(({ one }) => isSafe(one)).map(({ place }) => place.ref_id),
    meta: {
      token_estimate: tokenCount,
      budget: request.budget,
      truncated,
      claims_total: claims.length,
      claims_returned: toldClaims.length,
      timeline_events: timeline.filter(({ tier }) => tier !== 'count').length,
      engine: 'lexical',
      as_of: toIso(asOf),
      known_at: toIso(knownAt),
    },
  };
}

function showDocument({ one, place }: { one: NotePassage; place: Told }): ShownContext['documents'][number] {
  const { entity_id, type, title, date, source, snippet } = one;
  return { ...place, entity_id, type, title, date, source, snippet };
}

/** What the company is called that a committee is of: by its name, or else by its domain. */
function companyNameOf({ entity, name }: Material): string | null {
  if (entity.type === 'company') return name ?? handleOf(entity) ?? null;
  return entity.company_name ?? entity.company_domain;
}

/** By what somebody is known who has no name: an address, a domain, a profile. */
function handleOf({ handles }: Material['entity']): string | undefined {
  return (['email', 'domain', 'linkedin'] as const).flatMap(kind => handles.find(each => each.kind === kind) ?? [])[0]
    ?.value;
}

function gapsFor({ task, intent }: ContextRequest, { claims, entity }: Material): string[] {
  const known = new Set(claims.filter(({ status }) => status === 'current').map(({ property }) => property));
  // Who is known by an address has one, unless somebody said that it has ended.
  const isSaid = claims.some(({ of, property }) => of === 'self' && property === 'email');
  if (!isSaid && entity.handles.some(({ kind }) => kind === 'email')) known.add('email');
  return task === undefined ? gapsOf(PRESETS[intent].boosted, known) : gapsIn(task, known);
}

function summaryOf(material: Material): string {
  const strongest = material.claims
    .filter(
      claim =>
        claim.of === 'self' &&
        claim.status === 'current' &&
        !['name', 'title', 'company', 'lead_score'].includes(claim.property),
    )
    .toSorted(
      (a, b) =>
        b.confidence * b.freshness_score - a.confidence * a.freshness_score || (a.property < b.property ? -1 : 1),
    )
    .slice(0, 3)
    .map(({ property, value }) => `${property}: ${inWords(value, 80)}`);
  return [identityOf(material), ...strongest].join('. ') + '.';
}

function companyOf({ entity }: Material): ShownContext['entity']['company'] {
  const { company_id, company_name, company_domain } = entity;
  return company_id === null ? null : { id: company_id, name: company_name, domain: company_domain };
}

function byPlaceIn(items: readonly ContextItem[]) {
  const places = new Map(items.map(({ ref_id }, place) => [ref_id, place]));
  return (one: Told, other: Told) => places.get(one.ref_id)! - places.get(other.ref_id)!;
}
