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

/** Returns whether a person has done what the setting `create_trigger` wants before a contact is created. */
export async function isReadyToCreate(hub: Hub, { entity_id, claims }: EntityWithClaims): Promise<boolean> {
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
