import type { Tx } from '#kernel/db/transaction.js';
import type { ObservationProblem } from '#domain/observation/observation.js';
import type { HubError } from '#kernel/errors/hub-error.js';
import { type ScoreScale, toBand, toTier } from '#domain/score/bands.js';
import { toIso, toIsoOrNull } from '#domain/time/instant.js';
import { type DedupRow, DEFAULT_WINDOW_DAYS } from '../dedup/dedup-request.js';
import type { DedupService } from '../dedup/dedup.service.js';
import type { DedupResult } from '../dedup/dedup.presenter.js';
import type { AddLeadsInput, LeadInput } from './add-leads-request.js';
import type { PresentedScore } from '../score/score.presenter.js';
import type { Row } from '../people/person-row.js';
import type { LeadRecord } from './leads.queries.js';

/** The outreach class of a row before it was added. */
export type OutreachClass = Pick<
  DedupResult,
  'outcome' | 'reason' | 'evidence' | 'lists' | 'duplicate_of' | 'alternate_email'
>;

/** Classifies rows for outreach, by index. The list that they are added to is ignored. At most three statements. */
export async function classifyRows(
  tx: Tx,
  dedup: DedupService,
  { rows, list }: AddLeadsInput,
): Promise<ReadonlyMap<number, OutreachClass>> {
  const excludedListId = 'id' in list ? list.id : undefined;
  const options = { windowDays: DEFAULT_WINDOW_DAYS, includeLists: true, excludedListId };
  const { results } = await dedup.classify(tx, rows.map(toDedupRow), options);
  return new Map(
    results.map(({ index, outcome, reason, evidence, lists, duplicate_of, alternate_email }) => [
      index,
      {
        outcome,
        reason,
        evidence,
        lists,
        ...(duplicate_of !== undefined && { duplicate_of }),
        ...(alternate_email !== undefined && { alternate_email }),
      },
    ]),
  );
}

function toDedupRow(row: LeadInput): DedupRow {
  const identifiers = 'person' in row ? row.person.identifiers : [];
  const text = (form: 'email' | 'linkedin' | 'domain') => {
    const found = identifiers.find(focus => focus.form === form);
    return found ? found.value : null;
  };
  return { identifiers: { email: text('email'), linkedin_url: text('linkedin'), domain: text('domain') }, ref: null };
}

/** Result of a row: a new or matched person was added, or why none was. */
export type RowStatus = 'created' | 'matched' | 'duplicate' | 'ambiguous' | 'invalid';

/** The result of one row, with the score of the lead if it was scored. */
export interface AddLeadResult extends Partial<Omit<PresentedScore, 'entity_id' | 'lead_id' | 'identifier'>> {
  /** Position of the row in the request, from 0. */
  readonly index: number;
  readonly identifier: string | null;
  readonly lead_id: string | null;
  readonly entity_id: string | null;
  readonly status: RowStatus;
  /** Form of the identifier that matched an existing person. */
  readonly matched_on: string | null;
  /** Fields of the row that were ignored. */
  readonly warnings?: readonly ObservationProblem[];
  /** Outreach class, if requested. */
  readonly dedup?: OutreachClass;
  /** The body of an error, if the row was rejected. */
  readonly error?: {
    readonly error: string;
    readonly detail?: string;
    readonly details?: readonly ObservationProblem[];
  };
}

/** Response of adding rows to a list. */
export interface AddLeadsResponse {
  /** Null if a dry run would create the list. */
  readonly list_id: string | null;
  readonly lead_list_id: string | null;
  readonly inserted: number;
  readonly duplicate_skipped: number;
  /** Number of rejected rows. */
  readonly skipped: number;
  readonly scored: number;
  readonly awaiting_enrichment: number;
  /** Number of rows that identify nobody. */
  readonly unresolved: number;
  readonly counts: Readonly<Record<'attached' | 'matched' | 'created' | 'ambiguous' | 'invalid' | 'duplicate', number>>;
  readonly results: readonly AddLeadResult[];
  readonly dry_run?: true;
}

/** Counts the results. */
export function summarizeResults(listId: string | null, results: readonly AddLeadResult[]): AddLeadsResponse {
  const of = (status: RowStatus) => results.filter(row => row.status === status).length;
  const [created, matched, duplicate, ambiguous, invalid] = [
    of('created'),
    of('matched'),
    of('duplicate'),
    of('ambiguous'),
    of('invalid'),
  ];
  return {
    list_id: listId,
    lead_list_id: listId,
    inserted: created + matched,
    duplicate_skipped: duplicate,
    skipped: ambiguous + invalid,
    scored: results.filter(row => row.scored).length,
    awaiting_enrichment: results.filter(row => row.reason === 'awaiting_enrichment').length,
    unresolved: results.filter(row => row.status === 'invalid' && row.identifier === null).length,
    counts: { attached: created + matched, matched, created, ambiguous, invalid, duplicate },
    results,
  };
}

/** Returns the response of a dry run, without the ids of lists, leads and people that were rolled back. */
export function asDryRun({ list_id, results, ...counted }: AddLeadsResponse, isNewList: boolean): AddLeadsResponse {
  const added = results.filter(({ status }) => status === 'created' || status === 'matched');
  const leads = new Set(added.map(row => row.lead_id));
  const people = new Set(added.filter(({ status }) => status === 'created').map(row => row.entity_id));
  const rows = results.map((row): AddLeadResult => ({
    ...row,
    lead_id: leads.has(row.lead_id) ? null : row.lead_id,
    entity_id: people.has(row.entity_id) ? null : row.entity_id,
  }));
  const listId = isNewList ? null : list_id;
  return { ...counted, list_id: listId, lead_list_id: listId, results: rows, dry_run: true };
}

/** Returns the result of a rejected row. */
export function rejectedRow(index: number, identifier: string | null, error: HubError): AddLeadResult {
  const { code, detail, details } = error;
  const status = code === 'identifier_conflict' ? 'ambiguous' : 'invalid';
  const body = { error: code, ...(detail !== undefined && { detail }), ...(details && { details }), ...error.extra };
  return { index, identifier, lead_id: null, entity_id: null, status, matched_on: null, error: body };
}

/** The fields of a lead's row besides those of the person. */
export const LEAD_FIELDS: readonly string[] = [
  'lead_id contact_id workspace_id list_id lead_list_id list_name step reply_outcome replied_at sent_at send_variant',
  'is_repeat_contact features fields row priority priority_confidence scorecard_score play layers tier intent_score',
  'intent_band added_at',
].flatMap(line => line.split(' '));

/** Builds the row of a lead: the fields of the lead, then those of its person. */
export function toLeadRow(lead: LeadRecord, person: Row, workspaceId: string, scale: ScoreScale): Row {
  return {
    ...person,
    id: lead.id,
    lead_id: lead.id,
    entity_id: lead.person_id,
    contact_id: lead.person_id,
    workspace_id: workspaceId,
    list_id: lead.list_id,
    lead_list_id: lead.list_id,
    list_name: lead.list_name,
    status: lead.status,
    stage: lead.stage,
    step: lead.step,
    reply_outcome: lead.reply_outcome,
    replied_at: toIsoOrNull(lead.replied_at),
    sent_at: toIsoOrNull(lead.sent_at),
    send_variant: lead.send_variant,
    is_repeat_contact: lead.is_repeat_contact,
    features: lead.features,
    fields: lead.fields,
    row: lead.original,
    priority: lead.priority,
    priority_confidence: lead.priority_confidence,
    scorecard_score: lead.priority === null ? null : lead.priority / 100,
    play: lead.play,
    layers: lead.layers,
    tier: toTier(lead.icp_score, scale),
    icp_score: lead.icp_score,
    icp_fit: lead.icp_score === null ? null : lead.icp_score >= 70,
    intent_score: lead.intent_score,
    intent_band: toBand(lead.intent_score, scale),
    added_at: toIso(lead.created_at),
    created_at: toIso(lead.created_at),
    updated_at: toIso(lead.updated_at),
  };
}
