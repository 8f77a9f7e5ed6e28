import type { EntityWithClaims, Json } from '@rapport/plugin-sdk';
import type { Hub } from '../plugin.js';

const MEETINGS = ['interaction.meeting_scheduled'];
const REPLIES = ['interaction.email_replied', 'interaction.linkedin_replied'];
/** Events after which a contact may be created. */
export const CREATION_EVENTS: readonly string[] = [...MEETINGS, ...REPLIES];
/** Stages of people who are interested, or further. */
const INTERESTED_STAGES: ReadonlySet<string> = new Set([
  'interested',
  'evaluating',
  'meeting_booked',
  'discovery',
  'demo',
  'proposal',
  'negotiation',
]);
const MAX_INTERACTIONS = 100;

/** Property of the last score of a person. */
export const LEAD_SCORE = 'lead_score';

/** Returns whether a contact may be created for a person: they fit, and have done what `create_trigger` wants. */
export async function isReadyToCreate(hub: Hub, entity: EntityWithClaims): Promise<boolean> {
  return hasFit(hub, entity) && (await hasTriggered(hub, entity));
}

/** Returns whether the Fit of a person is high enough. Somebody who was not scored, or of an unknown Fit, does not fit. */
function hasFit(hub: Hub, { claims }: EntityWithClaims): boolean {
  const { create_require_icp_fit: isRequired, create_icp_threshold: threshold } = hub.settings;
  if (!isRequired) return true;
  const score = claims[LEAD_SCORE]?.value;
  if (typeof score !== 'object' || score === null || Array.isArray(score)) return false;
  const fit = (score as Readonly<Record<string, Json>>)['icp_score'];
  return typeof fit === 'number' && fit >= threshold;
}

async function hasTriggered(hub: Hub, { entity_id, claims }: EntityWithClaims): Promise<boolean> {
  const trigger = hub.settings.create_trigger;
  const stage = claims['stage']?.value;
  const isInterested = typeof stage === 'string' && INTERESTED_STAGES.has(stage.toLowerCase());
  if (trigger === 'interested_stage') return isInterested;
  const interactions = await hub.graph.listInteractions(entity_id, { limit: MAX_INTERACTIONS });
  return interactions.some(({ event, observation }) => {
    if (event === 'meeting.scheduled') return true;
    if (event !== 'reply.received' || trigger === 'meeting_only') return false;
    return trigger === 'any_reply_or_meeting' || isInterested || isPositive(observation.value);
  });
}

/** Whether a reply says that it is positive; its text is not judged. */
function isPositive(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { outcome, sentiment } = value as Readonly<Record<string, Json>>;
  return outcome === 'interested' || sentiment === 'positive';
}
