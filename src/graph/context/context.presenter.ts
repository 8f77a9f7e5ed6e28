import { isSafe } from '#domain/claims/safe-to-use.js';
import { formatClaimRef, type NotePassage } from '#domain/context/context-candidates.js';
import { type Committee, buildCommittee, type Stakeholder, toStakeholder } from '#domain/context/committee.js';
import {
  type ComposedContext,
  type ContextItem,
  findTaskGaps,
  findIntentGaps,
} from '#domain/context/compose-context.js';
import { type Intent, PRESETS } from '#domain/context/intents.js';
import type { EntityType } from '#domain/identity/focus.js';
import { toPlainText, toOneLine } from '#domain/observation/summary.js';
import type { ScoreScale } from '#domain/score/bands.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { isFact, type AccountIcp, presentIcp } from '../accounts/accounts.presenter.js';
import type { ContextRequest } from './context-request.js';
import type { ContextSources } from './context-sources.service.js';
import {
  type ContextClaim,
  type ContextFact,
  presentContextFacts,
  presentContextClaim,
  type ContextItemMeta,
  toItemMeta,
  type ContextEvent,
  presentTimeline,
} from './context-items.presenter.js';

/** Response of the context endpoint. Groups contain the selected items; `items` is their rank order. */
export interface ContextResponse {
  readonly entity: {
    readonly id: string;
    readonly type: EntityType;
    readonly name: string | null;
    readonly company: { readonly id: string; readonly name: string | null; readonly domain: string | null } | null;
  };
  readonly intent: Intent;
  /** Identity of the entity and its three strongest claims. */
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
  /** Text for a prompt, one line per item. */
  readonly text: string;
  /** Properties that the task or the intent needs and that are unknown. */
  readonly gaps: readonly string[];
  /** References of the claims that can be acted on without verification. */
  readonly safe_to_use: readonly string[];
  readonly meta: {
    /** Estimated number of tokens of `text`. */
    readonly token_estimate: number;
    readonly budget: number;
    /** Number of items that did not fit into the budget. */
    readonly truncated: number;
    readonly claims_total: number;
    readonly claims_returned: number;
    readonly timeline_events: number;
    /** How similarity to the task was computed. */
    readonly engine: 'lexical';
    readonly as_of: string;
    readonly known_at: string;
  };
}

/** Describes an entity in one line: name, title, company and type. */
export function describeIdentity({ entity, name, claims }: ContextSources): string {
  const values = new Map(
    claims.flatMap(claim => (claim.of === 'self' ? [[claim.property, claim.value] as const] : [])),
  );
  const text = (property: string) => {
    const value = values.get(property);
    return typeof value === 'string' ? toOneLine(value, 60) : undefined;
  };
  const label = toOneLine(name ?? text('email') ?? findIdentifier(entity) ?? entity.id, 80);
  if (entity.type === 'company') return `${label} (company)`;
  const title = text('title');
  const company = entity.company_name ?? entity.company_domain ?? text('company');
  return `${label}${title ? `, ${title}` : ''}${company ? ` at ${toOneLine(company, 60)}` : ''} (person)`;
}

/** Builds the response of a composed context. */
export function presentContext(
  sources: ContextSources,
  { items, text, tokenCount, truncated }: ComposedContext,
  request: ContextRequest,
  { asOf, knownAt, scale }: { readonly asOf: Instant; readonly knownAt: Instant; readonly scale: ScoreScale },
): ContextResponse {
  const { entity, name, claims, people } = sources;
  const itemMeta = new Map(items.map(item => [item.ref_id, toItemMeta(item, request.explain)]));
  const select = <T>(all: readonly T[], refOf: (source: T) => string) =>
    all.flatMap(source => (itemMeta.has(refOf(source)) ? [{ source, meta: itemMeta.get(refOf(source))! }] : []));
  const selectedClaims = select(claims, formatClaimRef);
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
      .filter(({ source }) => !isFact(source))
      .map(({ source, meta }) => presentContextClaim(source, meta))
      .sort(compareByRank(items)),
    workspace: select(sources.workspace, ({ refId }) => refId)
      .map(({ source, meta }) => ({ ...meta, property: source.section, value: source.value }))
      .sort(compareByRank(items)),
    timeline,
    facts: presentContextFacts(claims, itemMeta),
    documents: select(sources.notes, ({ id }) => id).map(presentDocument),
    stakeholders: people.filter(({ entityId }) => entityId !== entity.id).map(toStakeholder),
    committee: buildCommittee(findCompanyName(sources), people),
    predictions: [],
    ...(icp && { icp }),
    items: items.map(({ ref_id, kind, score }) => ({ ref_id, kind, score })),
    text,
    gaps: findGaps(request, sources),
    safe_to_use: selectedClaims.filter(({ source }) => isSafe(source)).map(({ meta }) => meta.ref_id),
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
  source: note,
  meta,
}: {
  source: NotePassage;
  meta: ContextItemMeta;
}): ContextResponse['documents'][number] {
  const { entity_id, type, title, date, source, snippet } = note;
  return { ...meta, entity_id, type, title, date, source, snippet };
}

/** Returns the name of the company whose committee is shown, or its domain if it has no name. */
function findCompanyName({ entity, name }: ContextSources): string | null {
  if (entity.type === 'company') return name ?? findIdentifier(entity) ?? null;
  return entity.company_name ?? entity.company_domain;
}

/** Returns the e-mail address, domain or profile of an entity without a name. */
function findIdentifier({ handles }: ContextSources['entity']): string | undefined {
  return (['email', 'domain', 'linkedin'] as const).flatMap(kind => handles.find(each => each.kind === kind) ?? [])[0]
    ?.value;
}

function findGaps({ task, intent }: ContextRequest, { claims, entity }: ContextSources): string[] {
  const known = new Set(claims.filter(({ status }) => status === 'current').map(({ property }) => property));
  // An e-mail identifier counts as a known address, unless a claim says that the address has ended.
  const hasEmailClaim = claims.some(({ of, property }) => of === 'self' && property === 'email');
  if (!hasEmailClaim && entity.handles.some(({ kind }) => kind === 'email')) known.add('email');
  return task === undefined ? findIntentGaps(PRESETS[intent].boosted, known) : findTaskGaps(task, known);
}

function buildSummary(sources: ContextSources): string {
  const strongest = sources.claims
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
  return [describeIdentity(sources), ...strongest].join('. ') + '.';
}

function presentCompany({ entity }: ContextSources): ContextResponse['entity']['company'] {
  const { company_id, company_name, company_domain } = entity;
  return company_id === null ? null : { id: company_id, name: company_name, domain: company_domain };
}

function compareByRank(items: readonly ContextItem[]) {
  const ranks = new Map(items.map(({ ref_id }, rank) => [ref_id, rank]));
  return (one: ContextItemMeta, other: ContextItemMeta) => ranks.get(one.ref_id)! - ranks.get(other.ref_id)!;
}
