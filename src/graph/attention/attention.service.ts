import { Injectable } from '@nestjs/common';
import { openCommitments, upcoming } from '#domain/attention/dates.js';
import { contestedClaims, decayedFacts } from '#domain/attention/facts.js';
import { goingDark } from '#domain/attention/going-dark.js';
import { type AttentionItem, type AttentionKind, compareRank, ranked, rankOf } from '#domain/attention/item.js';
import { playChanged, workNow } from '#domain/attention/plays.js';
import { ruleShares } from '#domain/attention/rule-shares.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { claimOf, type RuleShares, type Subject, type SubjectClaim } from '#domain/attention/subject.js';
import { upcomingMeetings } from '#domain/meetings/upcoming.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { rulesOf } from '../claims/workspace-rules.js';
import { openProposals, type Proposal } from '../identity/proposals.queries.js';
import { ScoreSettingsReader } from '../score/score-settings.js';
import { type AttentionRequest, cursorOf } from './attention-request.js';
import { readCandidates, type Source } from './candidates.queries.js';
import { type Attention, type Looked, metaOf, showItem } from './shown-attention.js';
import { type ClaimInRow, readRefs, readSubjects, type SubjectRow } from './subjects.queries.js';

/** Open proposals that are looked at, the newest ones. */
const MOST_PROPOSALS = 100;

/** Urgency of a proposed merge. */
const MERGE_URGENCY = 50;

/** Where the candidates of each kind come from. */
const SOURCES: Readonly<Record<AttentionKind, readonly Source[]>> = {
  going_dark: ['people', 'open', 'leads'],
  decayed_fact: ['people', 'open', 'leads'],
  upcoming_meeting: ['meetings'],
  open_commitment: ['commitments'],
  contested_claim: ['contested'],
  work_now: ['work_now'],
  play_changed: ['rescored'],
  merge_proposal: [],
};

/** Tells what wants attention in a workspace, the most urgent first. Reads only. */
@Injectable()
export class AttentionService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly settings: ScoreSettingsReader,
  ) {}

  /**
   * A page of what wants attention. Four statements, and one for the claims behind a page: candidates of each kind are
   * found in the order of an index, a few hundred in all, and only they are looked at. A workspace with more of them
   * sees those that the index has first. Every statement goes by an index whatever the values are, so plans are kept:
   * planning for each call would cost a quarter of it.
   */
  read(workspace: string, request: AttentionRequest): Promise<Attention> {
    const look = async (tx: Tx): Promise<Attention> => {
      const now = request.asOf ?? (await tx.now());
      const { subjects, proposals, shares } = await this.look(tx, request.kinds, now);
      const owned = [...subjects.values()].filter(({ subject }) => isOwned(subject, request.owner));
      const items = owned.flatMap(({ subject }) =>
        itemsOf(subject, request.kinds, { shares, rules: rulesOf(workspace) }, now),
      );
      const ids = new Set(owned.map(({ subject }) => subject.entityId));
      const merges = proposals.filter(({ entity_id }) => ids.has(entity_id)).map(asItem);
      return this.page(tx, ranked([...items, ...merges]), subjects, request, now);
    };
    return this.work.run(workspace, look, { keepPlans: true });
  }

  private async look(tx: Tx, kinds: readonly AttentionKind[], now: Instant) {
    const sources = [...new Set(kinds.flatMap(kind => SOURCES[kind]))];
    const [candidates, proposals, { model }] = await Promise.all([
      readCandidates(tx, sources, toIso(now)),
      kinds.includes('merge_proposal') ? openProposals(tx, MOST_PROPOSALS) : [],
      this.settings.read(tx),
    ]);
    const ids = [...new Set([...candidates, ...proposals.map(({ entity_id }) => entity_id)])];
    const rows = ids.length > 0 ? await readSubjects(tx, ids, toIso(now)) : [];
    const subjects = new Map(rows.map(row => [row.id, { row, subject: subjectOf(row, now) }]));
    return { subjects, proposals, shares: ruleShares(model) };
  }

  private async page(
    tx: Tx,
    all: readonly AttentionItem[],
    looked: ReadonlyMap<string, Looked>,
    { limit, after, hash }: AttentionRequest,
    now: Instant,
  ): Promise<Attention> {
    const rest = after ? all.filter(item => compareRank(after, rankOf(item)) < 0) : all;
    const page = rest.slice(0, limit);
    const last = rest.length > limit ? page.at(-1) : undefined;
    const claims = page.flatMap(({ entityId, claim }) => (claim === undefined ? [] : [{ entityId, property: claim }]));
    const refs = claims.length > 0 ? await readRefs(tx, claims) : new Map<string, string>();
    return {
      items: page.map(item => showItem(item, looked.get(item.entityId)!, refs, now)),
      meta: metaOf(all),
      limit,
      has_more: last !== undefined,
      next_cursor: last ? cursorOf(hash, now, rankOf(last)) : null,
      generated_at: toIso(now),
    };
  }
}

function subjectOf(row: SubjectRow, now: Instant): Subject {
  const meetings = (row.meetings ?? []).map(([id, property, value, observedAt]) => ({
    id,
    property,
    value,
    observedAt,
  }));
  return {
    entityId: row.id,
    claims: (row.claims ?? []).map(claimIn),
    lastActivity: row.activity,
    interactions: (row.interactions ?? []).map(([id, at]) => ({ id, at })),
    meetings: upcomingMeetings(meetings, now),
  };
}

function claimIn([property, value, confidence, epistemicClass, supportedAt, before]: ClaimInRow): SubjectClaim {
  return { property, value, confidence, class: epistemicClass, supportedAt, before: before ?? undefined };
}

function isOwned(subject: Subject, owner: string | undefined): boolean {
  if (owner === undefined) return true;
  const held = claimOf(subject, 'owner')?.value;
  return typeof held === 'string' && held.trim().toLowerCase() === owner.trim().toLowerCase();
}

function itemsOf(
  subject: Subject,
  kinds: readonly AttentionKind[],
  { shares, rules }: { readonly shares: RuleShares; readonly rules: ClaimRules },
  now: Instant,
): readonly AttentionItem[] {
  const of: Readonly<Record<AttentionKind, () => AttentionItem[]>> = {
    upcoming_meeting: () => upcoming(subject, now),
    going_dark: () => goingDark(subject, now),
    decayed_fact: () => decayedFacts(subject, shares, rules, now),
    open_commitment: () => openCommitments(subject, now),
    work_now: () => workNow(subject),
    contested_claim: () => contestedClaims(subject, shares),
    merge_proposal: () => [],
    play_changed: () => playChanged(subject, now),
  };
  return kinds.flatMap(kind => of[kind]());
}

function asItem({ entity_id, other_entity_id, kind, value, created_at }: Proposal): AttentionItem {
  return {
    kind: 'merge_proposal',
    entityId: entity_id,
    about: other_entity_id,
    urgency: MERGE_URGENCY,
    since: created_at,
    what: `may be the same as ${other_entity_id}: both have the ${kind} ${value.slice(0, 200)}`,
    action: 'Merge the two, or say that they are not the same.',
    evidence: [],
  };
}
