import { toBand, toTier } from '#domain/score/bands.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { scaleOf } from '../facts/workspace-scale.js';
import type { Row } from '../people/person-row.js';
import type { LeadRecord } from './leads.queries.js';

const isoOrNull = (instant: Instant | null) => (instant === null ? null : toIso(instant));

/** The fields of a lead's row besides those of the person. */
export const LEAD_FIELDS: readonly string[] = [
  'lead_id contact_id workspace_id list_id lead_list_id list_name step reply_outcome replied_at sent_at send_variant',
  'is_repeat_contact features fields row priority priority_confidence scorecard_score play layers tier intent_score',
  'intent_band added_at',
].flatMap(line => line.split(' '));

/** Builds the row of a lead: the fields of the lead, then those of its person. */
export function toLeadRow(lead: LeadRecord, person: Row, workspaceId: string): Row {
  const scale = scaleOf(workspaceId);
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
    replied_at: isoOrNull(lead.replied_at),
    sent_at: isoOrNull(lead.sent_at),
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
