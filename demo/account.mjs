import { claimLines } from './claims.mjs';
import { counted, cut } from './style.mjs';
import { timelineLines } from './timeline.mjs';
import { dayOf } from './when.mjs';

/**
 * An account as a page of text: who it is, what is claimed and how well it is known, and what happened.
 * @param {any} account the body of GET /v2/accounts/:id
 * @param {import('./style.mjs').Paint} paint
 * @param {number} width columns
 */
export function accountLines(account, paint, width) {
  const claims = Object.values(account.claims);
  return [
    rule(width, paint),
    ...whoLines(account, paint, width),
    '',
    heading('What is claimed', summaryOf(claims), paint),
    ...claimLines(claims, paint, width),
    '',
    heading('Timeline', 'newest first, times in UTC', paint),
    ...timelineLines(account.recent_observations, paint, width),
    rule(width, paint),
  ];
}

function whoLines({ name, type, entity, identifiers, entity_id }, paint, width) {
  const company = entity.company && (entity.company.name ?? entity.company.domain);
  const title = cut(name ?? 'Name unknown', width - entity_id.length - 6);
  const room = ' '.repeat(width - entity_id.length - title.length - 4);
  const identity = [type, ...identifiers.map(identifierOf), ...(company ? [`works at ${company}`] : [])].join(' · ');
  return [
    `  ${paint('strong', title)}${room}${paint('quiet', entity_id)}`,
    `  ${identity}`,
    paint('quiet', `  known since ${dayOf(entity.created_at)} · last activity ${lastOf(entity)}`),
  ];
}

function identifierOf({ value, shared_mailbox }) {
  return shared_mailbox ? `${value} (shared mailbox)` : value;
}

function lastOf({ last_activity_at }) {
  return last_activity_at ? dayOf(last_activity_at) : '○ unknown';
}

function summaryOf(claims) {
  const usable = claims.filter(
    ({ freshness, confidence, status }) => status === 'current' && freshness === 'fresh' && confidence > 0.7,
  );
  const contested = claims.filter(claim => claim.epistemic_class === 'contested');
  return `${counted(claims.length, 'claim')}, ${usable.length} fresh and above 0.7, ${contested.length} contested`;
}

function heading(title, note, paint) {
  return `  ${paint('strong', title.toUpperCase())}  ${paint('quiet', note)}`;
}

function rule(width, paint) {
  return paint('quiet', '─'.repeat(width));
}
