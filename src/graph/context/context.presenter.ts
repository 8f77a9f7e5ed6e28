import { isSafeClaim, formatClaimRef } from '#domain/context/claim-candidates.js';
import { type Committee, buildCommittee, type Stakeholder, toStakeholder } from '#domain/context/committee.js';
import type { ComposedContext, ContextItem } from '#domain/context/compose-context.js';
import { findTaskGaps, findIntentGaps } from '#domain/context/knowledge-gaps.js';
import { type Intent, PRESETS } from '#domain/context/intents.js';
import type { NotePassage } from '#domain/context/entry-candidates.js';
import type { EntityType } from '#domain/identity/focus.js';
import { toPlainText, toOneLine } from '#domain/observation/summary.js';
import type { ScoreScale } from '#domain/score/bands.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { isFact } from '../accounts/account-facts.js';
import { type AccountIcp, presentIcp } from '../accounts/icp.presenter.js';
import type { ContextRequest } from './context-request.js';
import type { ContextSources } from './context-sources.service.js';
import {
  type ContextClaim,
  type ContextFact,
  presentContextFacts,
  presentContextClaim,
  type ContextItemMeta,
  toItemMeta,
} from './context-claims.presenter.js';
import { type ContextEvent, presentTimeline } from './context-timeline.presenter.js';

/** The answer of a call for context. Groups hold what was chosen; `items` is its order. */
export interface ContextResponse {
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
  readonly workspace: readonly (ContextItemMeta & { readonly property: string; readonly value: string })[];
  readonly timeline: readonly ContextEvent[];
  readonly facts: readonly ContextFact[];
  readonly documents: readonly (ContextItemMeta & {
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
  readonly icp?: AccountIcp;
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
export function describeIdentity({ entity, name, claims }: ContextSources): string {
  const own = new Map(claims.flatMap(claim => (claim.of === 'self' ? [[claim.property, claim.value] as const] : [])));
  const text = (property: string) => {
    const value = own.get(property);
    return typeof value === 'string' ? toOneLine(value, 60) : undefined;
  };
  const called = toOneLine(name ?? text('email') ?? findIdentifier(entity) ?? entity.id, 80);
  if (entity.type === 'company') return `${called} (company)`;
  const title = text('title');
  const company = entity.company_name ?? entity.company_domain ?? text('company');
  return `${called}${title ? `, ${title}` : ''}${company ? ` at ${toOneLine(company, 60)}` : ''} (person)`;
}

/** The answer for what was put together. */
export function presentContext(
  sources: ContextSources,
  { items, text, tokenCount, truncated }: ComposedContext,
  request: ContextRequest,
  { asOf, knownAt, scale }: { readonly asOf: Instant; readonly knownAt: Instant; readonly scale: ScoreScale },
): ContextResponse {
  const { entity, name, claims, people } = sources;
  const itemMeta = new Map(items.map(item => [item.ref_id, toItemMeta(item, request.explain)]));
  const chosen = <T>(all: readonly T[], refOf: (one: T) => string) =>
    all.flatMap(one => (itemMeta.has(refOf(one)) ? [{ one, place: itemMeta.get(refOf(one))! }] : []));
  const selectedClaims = chosen(claims, formatClaimRef);
  const timeline = presentTimeline(sources.events, itemMeta, asOf);
  const icp = presentIcp(
    claims.filter(({ of }) => of === 'self'),
    scale,
  );
  return {
    entity: { id: entity.id, type: entity.type, name, company: presentCompany(sources) },
    intent: request.intent,
    summary: buildSummary(sources),
    claims: selectedClaims
      .filter(({ one }) => !isFact(one))
      .map(({ one, place }) => presentContextClaim(one, place))
      .sort(compareByRank(items)),
    workspace: chosen(sources.workspace, ({ refId }) => refId)
      .map(({ one, place }) => ({ ...place, property: one.section, value: one.value }))
      .sort(compareByRank(items)),
    timeline,
    facts: presentContextFacts(claims, itemMeta),
    documents: chosen(sources.notes, ({ id }) => id).map(presentDocument),
    stakeholders: people.filter(({ entityId }) => entityId !== entity.id).map(toStakeholder),
    committee: buildCommittee(findCompanyName(sources), people),
    predictions: [],
    ...(icp && { icp }),
    items: items.map(({ ref_id, kind, score }) => ({ ref_id, kind, score })),
    text,
    gaps: findGaps(request, sources),
    safe_to_use: selectedClaims.filter(({ one }) => isSafeClaim(one)).map(({ place }) => place.ref_id),
    meta: {
      token_estimate: tokenCount,
      budget: request.budget,
      truncated,
      claims_total: claims.length,
      claims_returned: selectedClaims.length,
      timeline_events: timeline.filter(({ tier }) => tier !== 'count').length,
      engine: 'lexical',
      as_of: toIso(asOf),
      known_at: toIso(knownAt),
    },
  };
}

function presentDocument({
  one,
  place,
}: {
  one: NotePassage;
  place: ContextItemMeta;
}): ContextResponse['documents'][number] {
  const { entity_id, type, title, date, source, snippet } = one;
  return { ...place, entity_id, type, title, date, source, snippet };
}

/** What the company is called that a committee is of: by its name, or else by its domain. */
function findCompanyName({ entity, name }: ContextSources): string | null {
  if (entity.type === 'company') return name ?? findIdentifier(entity) ?? null;
  return entity.company_name ?? entity.company_domain;
}

/** By what somebody is known who has no name: an address, a domain, a profile. */
function findIdentifier({ handles }: ContextSources['entity']): string | undefined {
  return (['email', 'domain', 'linkedin'] as const).flatMap(kind => handles.find(each => each.kind === kind) ?? [])[0]
    ?.value;
}

function findGaps({ task, intent }: ContextRequest, { claims, entity }: ContextSources): string[] {
  const known = new Set(claims.filter(({ status }) => status === 'current').map(({ property }) => property));
  // Who is known by an address has one, unless somebody said that it has ended.
  const isSaid = claims.some(({ of, property }) => of === 'self' && property === 'email');
  if (!isSaid && entity.handles.some(({ kind }) => kind === 'email')) known.add('email');
  return task === undefined ? findIntentGaps(PRESETS[intent].boosted, known) : findTaskGaps(task, known);
}

function buildSummary(material: ContextSources): string {
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
    .map(({ property, value }) => `${property}: ${toPlainText(value, 80)}`);
  return [describeIdentity(material), ...strongest].join('. ') + '.';
}

function presentCompany({ entity }: ContextSources): ContextResponse['entity']['company'] {
  const { company_id, company_name, company_domain } = entity;
  return company_id === null ? null : { id: company_id, name: company_name, domain: company_domain };
}

function compareByRank(items: readonly ContextItem[]) {
  const places = new Map(items.map(({ ref_id }, place) => [ref_id, place]));
  return (one: ContextItemMeta, other: ContextItemMeta) => places.get(one.ref_id)! - places.get(other.ref_id)!;
}
