import { LIKENESS } from '../identity/proposals.queries.js';
import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { type AccountOf, findAccount, groupByAccount } from '#domain/attention/account-items.js';
import { type AttentionMark, findItemState, toMarkId } from '#domain/attention/attention-mark.js';
import { findCallbackItems, findCommitmentItems, findMeetingItems } from '#domain/attention/dated-items.js';
import { findMeetingWithoutOutcome, findUnansweredReply } from '#domain/attention/reply-items.js';
import { findGoingDark } from '#domain/attention/silence-items.js';
import {
  findContestedClaims,
  findDecayedFacts,
  type DecayTable,
  buildDecayTable,
} from '#domain/attention/fact-items.js';
import {
  type AttentionItem,
  formatItemId,
  type AttentionKind,
  compareAttentionRank,
  rankItems,
  toAttentionRank,
} from '#domain/attention/attention-item.js';
import { findPlayChange, findWorkNow, computeRuleShares } from '#domain/attention/play-items.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import {
  findCountry,
  findSubjectClaim,
  type RuleShares,
  type AttentionEntity,
} from '#domain/attention/attention-entity.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { RulesCache } from '../claims/rules.cache.js';
import { StatementCache } from '../lists/sql-params.js';
import { ScoreSettingsService } from '../score/score-settings.service.js';
import {
  type AttentionRequest,
  encodeAttentionCursor,
  type AttentionSubject,
  buildSubjects,
} from './attention-request.js';
import type { CandidateSource } from './candidates.queries.js';
import { type AttentionResponse, countByKind, presentItem } from './attention.presenter.js';
import { toMarkMap } from './marks.queries.js';
import { WorkCalendars } from './work-calendars.js';
import { readClaimRefs } from './claim-refs.queries.js';
import { type SubjectColumns, readSubjects, type SubjectQuery } from './subjects.queries.js';

/** Maximum number of cached decay tables; workspaces without rules of their own share one. */
const MAX_DECAY_TABLES = 200;

/** Urgency of a proposed merge. */
const MERGE_URGENCY = 50;

/** The sources of candidates for each kind of item. */
const SOURCES: Readonly<Record<AttentionKind, readonly CandidateSource[]>> = {
  going_dark: ['people', 'open', 'leads'],
  decayed_fact: ['people', 'open', 'leads'],
  upcoming_meeting: ['meetings'],
  open_commitment: ['commitments'],
  commitment_due: ['commitments'],
  callback_due: ['callbacks'],
  unanswered_reply: ['replies'],
  meeting_without_outcome: ['past_meetings'],
  contested_claim: ['contested'],
  work_now: ['work_now'],
  play_changed: ['rescored'],
  merge_proposal: [],
};

/** Inputs shared by all items of a request. */
interface JudgementInputs {
  readonly shares: RuleShares;
  readonly rules: ClaimRules;
  readonly calendars: WorkCalendars;
  readonly now: Instant;
}

/** Finds the items of each kind for an entity. Merge proposals are read separately, see {@link toMergeItems}. */
const ITEMS: Readonly<Record<AttentionKind, (subject: AttentionEntity, inputs: JudgementInputs) => AttentionItem[]>> = {
  upcoming_meeting: (subject, { now }) => findMeetingItems(subject, now),
  going_dark: (subject, { calendars, now }) => findGoingDark(subject, now, calendars.find(findCountry(subject))),
  decayed_fact: (subject, { shares, rules, now }) => findDecayedFacts(subject, shares, rules, now),
  open_commitment: (subject, { now }) =>
    findCommitmentItems(subject, now).filter(({ kind }) => kind === 'open_commitment'),
  commitment_due: (subject, { now }) =>
    findCommitmentItems(subject, now).filter(({ kind }) => kind === 'commitment_due'),
  callback_due: (subject, { now }) => findCallbackItems(subject, now),
  unanswered_reply: (subject, { now }) => findUnansweredReply(subject, now),
  meeting_without_outcome: (subject, { now }) => findMeetingWithoutOutcome(subject, now),
  work_now: findWorkNow,
  contested_claim: (subject, { shares }) => findContestedClaims(subject, shares),
  merge_proposal: () => [],
  play_changed: (subject, { now }) => findPlayChange(subject, now),
};

/** Lists what needs attention in a workspace, most urgent first. Writes nothing. */
@Injectable()
export class AttentionService {
  /** Decay tables by rules. Rules are immutable, so entries need no expiry. */
  private readonly decayTables = new LRUCache<ClaimRules, DecayTable>({ max: MAX_DECAY_TABLES });

  private readonly statements = new StatementCache();

  constructor(
    private readonly work: UnitOfWork,
    private readonly settings: ScoreSettingsService,
    private readonly rules: RulesCache,
    private readonly calendars: WorkCalendars,
  ) {}

  /**
   * Returns a page of items. Sends two statements with the beginning of the transaction and one for the claims of the
   * page. Candidates of each kind are read in index order, a few hundred in all, and only they are evaluated; in a
   * workspace with more candidates, those that the index has first. Every statement uses an index for any parameter
   * values, so generic plans are used: planning each call would take a quarter of its time.
   */
  read(workspace: string, request: AttentionRequest): Promise<AttentionResponse> {
    return this.work.run(workspace, tx => this.readInTransaction(tx, request), { useGenericPlans: true });
  }

  private async readInTransaction(tx: Tx, request: AttentionRequest): Promise<AttentionResponse> {
    const { kinds, owner, asOf } = request;
    const rules = this.rules.get(tx.workspace).rules;
    const [read, { model }, transactionStart] = await Promise.all([
      readSubjects(
        tx,
        this.statements,
        toSubjectQuery(kinds),
        this.getDecayTable(rules),
        asOf === undefined ? null : toIso(asOf),
      ),
      this.settings.read(tx),
      tx.now(),
    ]);
    const now = asOf ?? transactionStart;
    const subjects = buildSubjects(read, now);
    const inputs = { shares: computeRuleShares(model), rules, calendars: this.calendars, now };
    const items: AttentionItem[] = [];
    for (const { subject } of subjects.values()) {
      if (isOwnedBy(subject, owner)) for (const kind of kinds) items.push(...ITEMS[kind](subject, inputs));
    }
    const merges = toMergeItems(read).filter(({ entityId }) => isOwnedBy(subjects.get(entityId)!.subject, owner));
    const all = [...items, ...merges];
    const accountOf = (entityId: string) => toAccountId(entityId, subjects.get(entityId)!);
    const marks = toMarkMap(read.marks);
    const markOf = (item: AttentionItem) => findMark(marks, item, accountOf, now);
    const listed = all.filter(item => findItemState(item, markOf(item), now) === request.state);
    // Items that were marked one by one are listed one by one, so that each mark can be taken back.
    const isJoint = (item: AttentionItem) =>
      request.state === 'open' || markOf(item)?.itemId === toAccountMarkId(item, accountOf);
    const joint = groupByAccount(listed.filter(isJoint), accountOf, now);
    const ranked = rankItems([...joint, ...listed.filter(item => !isJoint(item))]);
    return this.page(tx, ranked, subjects, markOf, request, now);
  }

  private getDecayTable(rules: ClaimRules): DecayTable {
    const table = this.decayTables.get(rules) ?? buildDecayTable(rules);
    this.decayTables.set(rules, table);
    return table;
  }

  private async page(
    tx: Tx,
    all: readonly AttentionItem[],
    subjects: ReadonlyMap<string, AttentionSubject>,
    markOf: (item: AttentionItem) => AttentionMark | undefined,
    { state, limit, after, hash }: AttentionRequest,
    now: Instant,
  ): Promise<AttentionResponse> {
    const rest = after ? all.filter(item => compareAttentionRank(after, toAttentionRank(item)) < 0) : all;
    const page = rest.slice(0, limit);
    const last = rest.length > limit ? page.at(-1) : undefined;
    const claims = page.flatMap(({ entityId, claim }) => (claim === undefined ? [] : [{ entityId, property: claim }]));
    const refs = claims.length > 0 ? await readClaimRefs(tx, claims) : new Map<string, string>();
    return {
      items: page.map(item => {
        const mark = state === 'open' ? undefined : markOf(item);
        return presentItem(item, subjects, refs, mark, now);
      }),
      meta: countByKind(all),
      limit,
      has_more: last !== undefined,
      next_cursor: last ? encodeAttentionCursor(hash, now, toAttentionRank(last)) : null,
      generated_at: toIso(now),
    };
  }
}

/** Returns the company of a subject: the one that a person works for, or the subject itself. */
function toAccountId(entityId: string, { type, company }: AttentionSubject): string | undefined {
  return type === 'company' ? entityId : company?.id;
}

/** Returns the ID of the mark of an item's account; undefined if the item stands alone. */
function toAccountMarkId(item: AttentionItem, accountOf: AccountOf): string | undefined {
  const entityId = findAccount(item, accountOf);
  return entityId === undefined ? undefined : toMarkId(formatItemId({ ...item, entityId }));
}

/** Returns the mark that hides an item: that of its account, else its own. */
function findMark(
  marks: ReadonlyMap<string, AttentionMark>,
  item: AttentionItem,
  accountOf: AccountOf,
  now: Instant,
): AttentionMark | undefined {
  const ids = [toAccountMarkId(item, accountOf), toMarkId(formatItemId(item))];
  const found = ids.flatMap(id => (id === undefined ? [] : (marks.get(id) ?? [])));
  return found.find(mark => findItemState(item, mark, now) !== 'open') ?? found[0];
}

/** A list of contested claims alone is worked through to its end, so it has more of them. */
function selectSources(kinds: readonly AttentionKind[]): CandidateSource[] {
  if (kinds.length === 1 && kinds[0] === 'contested_claim') return ['all_contested'];
  return [...new Set(kinds.flatMap(kind => SOURCES[kind]))];
}

/** Returns the query that reads the inputs of these kinds of items. */
function toSubjectQuery(kinds: readonly AttentionKind[]): SubjectQuery {
  const has = (kind: string) => (kinds as readonly string[]).includes(kind);
  return {
    sources: selectSources(kinds),
    proposals: has('merge_proposal'),
    meetings: ['upcoming_meeting', 'meeting_without_outcome', 'going_dark', 'unanswered_reply'].some(has),
    interactions: ['going_dark', 'unanswered_reply', 'meeting_without_outcome', 'callback_due'].some(has),
    commitments: has('open_commitment') || has('commitment_due'),
    callbacks: has('callback_due'),
    notes: has('meeting_without_outcome'),
    contested: has('contested_claim'),
    decayed: has('decayed_fact'),
  };
}

function isOwnedBy(subject: AttentionEntity, owner: string | undefined): boolean {
  if (owner === undefined) return true;
  const value = findSubjectClaim(subject, 'owner')?.value;
  return typeof value === 'string' && value.trim().toLowerCase() === owner.trim().toLowerCase();
}

function toMergeItems({ proposals }: SubjectColumns): AttentionItem[] {
  const [ids, others, names, kinds, values, times] = proposals ?? [];
  return (ids ?? []).map((entityId, i) => ({
    kind: 'merge_proposal',
    entityId,
    about: others![i]!,
    urgency: MERGE_URGENCY,
    since: times![i]!,
    what: `may be the same as ${names![i] ?? others![i]!}: ${describeEvidence(kinds![i]!, values![i]!.slice(0, 200))}`,
    action: 'Merge the two, or say that they are not the same.',
    evidence: [],
  }));
}

function describeEvidence(kind: string, value: string): string {
  return kind === LIKENESS ? value : `both have the ${kind} ${value}`;
}
