import { Injectable } from '@nestjs/common';
import { openCommitments, upcoming } from '#domain/attention/dates.js';
import { contestedClaims, decayedFacts, type DecayTable, decayTable } from '#domain/attention/facts.js';
import { goingDark } from '#domain/attention/going-dark.js';
import { type AttentionItem, type AttentionKind, compareRank, ranked, rankOf } from '#domain/attention/item.js';
import { playChanged, workNow } from '#domain/attention/plays.js';
import { ruleShares } from '#domain/attention/rule-shares.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { claimOf, type RuleShares, type Subject } from '#domain/attention/subject.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { rulesOf } from '../claims/workspace-rules.js';
import { ScoreSettingsReader } from '../score/score-settings.js';
import { type AttentionRequest, cursorOf } from './attention-request.js';
import type { Source } from './candidates.queries.js';
import { type Looked, lookedAt } from './looked.js';
import { type Attention, metaOf, showItem } from './shown-attention.js';
import { readRefs } from './refs.queries.js';
import type { SubjectColumns } from './subject-columns.js';
import { readSubjects, type Sought } from './subjects.queries.js';

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

/** What subjects are judged by. */
interface Terms {
  readonly shares: RuleShares;
  readonly rules: ClaimRules;
  readonly now: Instant;
}

/** What of each kind there is to say of a subject; proposed merges are read by themselves. */
const ITEMS: Readonly<Record<AttentionKind, (subject: Subject, terms: Terms) => AttentionItem[]>> = {
  upcoming_meeting: (subject, { now }) => upcoming(subject, now),
  going_dark: (subject, { now }) => goingDark(subject, now),
  decayed_fact: (subject, { shares, rules, now }) => decayedFacts(subject, shares, rules, now),
  open_commitment: (subject, { now }) => openCommitments(subject, now),
  work_now: workNow,
  contested_claim: (subject, { shares }) => contestedClaims(subject, shares),
  merge_proposal: () => [],
  play_changed: (subject, { now }) => playChanged(subject, now),
};

/** Tells what wants attention in a workspace, the most urgent first. Reads only. */
@Injectable()
export class AttentionService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly settings: ScoreSettingsReader,
  ) {}

  /**
   * A page of what wants attention. Two statements that leave with the beginning of the transaction, and one for the
   * claims behind a page: candidates of each kind are found in the order of an index, a few hundred in all, and only
   * they are looked at. A workspace with more of them sees those that the index has first. Every statement goes by an
   * index whatever the values are, so plans are kept: planning for each call would cost a quarter of it.
   */
  read(workspace: string, request: AttentionRequest): Promise<Attention> {
    return this.work.run(workspace, tx => this.look(tx, request), { keepPlans: true });
  }

  private async look(tx: Tx, request: AttentionRequest): Promise<Attention> {
    const { kinds, owner, asOf } = request;
    const rules = rulesOf(tx.workspace);
    const [read, { model }, begun] = await Promise.all([
      readSubjects(tx, soughtFor(kinds), decayTableOf(rules), asOf === undefined ? null : toIso(asOf)),
      this.settings.read(tx),
      tx.now(),
    ]);
    const now = asOf ?? begun;
    const looked = lookedAt(read, now);
    const terms = { shares: ruleShares(model), rules, now };
    const items: AttentionItem[] = [];
    for (const { subject } of looked.values()) {
      if (isOwned(subject, owner)) for (const kind of kinds) items.push(...ITEMS[kind](subject, terms));
    }
    const merges = mergesIn(read).filter(({ entityId }) => isOwned(looked.get(entityId)!.subject, owner));
    return this.page(tx, ranked([...items, ...merges]), looked, request, now);
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

/** What has to be read to find items of these kinds. */
function soughtFor(kinds: readonly AttentionKind[]): Sought {
  const has = (kind: AttentionKind) => kinds.includes(kind);
  return {
    sources: [...new Set(kinds.flatMap(kind => SOURCES[kind]))],
    proposals: has('merge_proposal'),
    meetings: has('upcoming_meeting') || has('going_dark'),
    interactions: has('going_dark'),
    commitments: has('open_commitment'),
    contested: has('contested_claim'),
    decayed: has('decayed_fact'),
  };
}

const decayTables = new WeakMap<ClaimRules, DecayTable>();

function decayTableOf(rules: ClaimRules): DecayTable {
  const table = decayTables.get(rules) ?? decayTable(rules);
  decayTables.set(rules, table);
  return table;
}

function isOwned(subject: Subject, owner: string | undefined): boolean {
  if (owner === undefined) return true;
  const held = claimOf(subject, 'owner')?.value;
  return typeof held === 'string' && held.trim().toLowerCase() === owner.trim().toLowerCase();
}

function mergesIn({ proposals }: SubjectColumns): AttentionItem[] {
  const [ids, others, kinds, values, times] = proposals ?? [];
  return (ids ?? []).map((entityId, i) => ({
    kind: 'merge_proposal',
    entityId,
    about: others![i]!,
    urgency: MERGE_URGENCY,
    since: times![i]!,
    what: `may be the same as ${others![i]!}: both have the ${kinds![i]!} ${values![i]!.slice(0, 200)}`,
    action: 'Merge the two, or say that they are not the same.',
    evidence: [],
  }));
}
