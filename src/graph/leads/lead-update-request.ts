import { validate as isUuid } from 'uuid';
import { isPlainObject, type ObservationDraft, type ObservationProblem } from '#domain/observation/observation.js';
import { parsePerson } from '#domain/people/parse-person.js';
import { parseInstant, toIso } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { noUpdatableFields, requireObject } from '../people/person-request.js';
import type { PersonWriteInput } from '../people/person.writer.js';
import { readBoolean } from './add-leads-request.js';
import { attribute } from '../observations/author.js';

/** The valid outcomes of a reply. Other words are rejected: a misspelled `unsubscribe` would go unnoticed. */
export const REPLY_OUTCOMES: readonly string[] = ['interested', 'objection', 'wrong_fit', 'unsubscribe'];

/** A validated change of a lead. */
export interface LeadUpdate {
  readonly id: string;
  /** Values by column, as the database takes them. */
  readonly columns: ReadonlyMap<string, unknown>;
  /** Id of another person for the lead. */
  readonly contactId: string | undefined;
  /** The facts to assert of the person. */
  readonly person: PersonWriteInput;
  /** External id of the event in the system that reports it, so that a webhook about the same event adds nothing. */
  readonly externalEvent: { readonly source: string; readonly externalId: string } | undefined;
  /** Whether to validate the change without making it. */
  readonly dryRun: boolean;
}

/** Default source of facts about a lead. */
const DEFAULT_SOURCE = 'list';

type Check = (value: unknown) => { readonly value: unknown } | string;

const text: Check = value =>
  value === null || (typeof value === 'string' && value.length <= 200) ? { value } : 'a text of at most 200 characters';
const filled: Check = value =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 200 ? { value } : 'a text of 1 to 200 characters';
const time: Check = value => {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (value === null) return { value };
  return instant === undefined ? 'an ISO 8601 time' : { value: toIso(instant) };
};
const object: Check = value => (isPlainObject(value) ? { value: JSON.stringify(value) } : 'an object');
const outcome: Check = value =>
  value === null || REPLY_OUTCOMES.includes(value as string)
    ? { value }
    : `one of ${REPLY_OUTCOMES.join(', ')}, or null`;
const share: Check = value => {
  if (value === null) return { value };
  const fits = typeof value === 'number' && value >= 0 && value <= 1;
  return fits ? { value: Math.round(value * 100) } : 'a number from 0 to 1';
};

/** Columns that a caller may change, by their names in the body. */
const UPDATABLE_COLUMNS: Readonly<Record<string, { readonly column: string; readonly check: Check }>> = {
  status: { column: 'status', check: filled },
  stage: { column: 'stage', check: text },
  step: { column: 'step', check: text },
  reply_outcome: { column: 'reply_outcome', check: outcome },
  send_variant: { column: 'send_variant', check: text },
  replied_at: { column: 'replied_at', check: time },
  sent_at: { column: 'sent_at', check: time },
  scorecard_score: { column: 'priority', check: share },
  features: { column: 'features', check: object },
  custom: { column: 'fields', check: object },
  fields: { column: 'fields', check: object },
};

const RESERVED_FIELDS = new Set([
  ...Object.keys(UPDATABLE_COLUMNS),
  'id',
  'lead_id',
  'contact_id',
  'external_id',
  'dry_run',
]);

/** Fields of a lead's row that never change or are derived. They are rejected, because a change would be ignored. */
const READ_ONLY_FIELDS = (
  'list_id lead_list_id list_name workspace_id entity_id is_repeat_contact importDuplicates ' +
  'priority play layers added_at created_at updated_at row'
).split(' ');
const MAX_SOURCE_LENGTH = 100;
const MAX_KEY_LENGTH = 512;

/** Reads the body of PATCH /v2/leads. @throws HubError `invalid_id`, `no_updatable_fields`, `invalid_request`. */
export function readLeadUpdate(body: unknown, path?: string): LeadUpdate {
  const fields = requireObject(body);
  const id = path ?? fields['id'] ?? fields['lead_id'];
  if (typeof id !== 'string' || !isUuid(id)) throw new HubError('invalid_id');
  const problems = READ_ONLY_FIELDS.filter(field => fields[field] !== undefined).map((field): ObservationProblem => {
    return { field, message: `${field} of a lead cannot be changed; leave it out.` };
  });
  for (const field of ['id', 'lead_id']) {
    const named = fields[field] ?? id;
    if (typeof named === 'string' && named.toLowerCase() === id.toLowerCase()) continue;
    problems.push({
      field,
      message: `${field} names another lead than ${path === undefined ? 'id' : 'the path'} does.`,
    });
  }
  const changed = new Map<string, unknown>();
  for (const [field, { column, check }] of Object.entries(UPDATABLE_COLUMNS)) {
    if (fields[field] === undefined) continue;
    const checked = check(fields[field]);
    if (typeof checked === 'string') problems.push({ field, message: `${field} must be ${checked}.` });
    else changed.set(column, checked.value);
  }
  const origin = { source: 'agent', method: 'assert' };
  const externalEvent = parseExternalEvent(fields, problems);
  const reserved = new Set([...RESERVED_FIELDS, ...READ_ONLY_FIELDS, ...(externalEvent ? ['source'] : [])]);
  const person = parsePerson(fields, { origin, now: Date.now() * 1_000, reserved, placeholders: 'refuse' }, problems);
  const contactId = fields['contact_id'];
  if (contactId !== undefined && !(typeof contactId === 'string' && isUuid(contactId)))
    problems.push({ field: 'contact_id', message: 'contact_id must be the UUID of an entity.' });
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  const nothing = changed.size + person.observations.length + person.identifiers.length === 0;
  if (nothing && contactId === undefined) throw noUpdatableFields();
  const dryRun = readBoolean(fields, 'dry_run') ?? false;
  return {
    id: id.toLowerCase(),
    columns: changed,
    contactId: contactId as string | undefined,
    person,
    externalEvent,
    dryRun,
  };
}

/** Returns a change that is stated in the name of the signed-in person, if there is one. */
export function attributeUpdate(change: LeadUpdate): LeadUpdate {
  return { ...change, person: attribute(change.person) };
}

/** Parses `external_id`, which belongs to the given `source`. */
function parseExternalEvent(
  fields: Readonly<Record<string, unknown>>,
  problems: ObservationProblem[],
): LeadUpdate['externalEvent'] {
  const { external_id: externalId = null, source = DEFAULT_SOURCE } = fields;
  if (externalId === null) return undefined;
  const isText = (given: unknown, longest: number): given is string =>
    typeof given === 'string' && given.trim() !== '' && given.length <= longest;
  if (!isText(externalId, MAX_KEY_LENGTH))
    problems.push({
      field: 'external_id',
      message: `external_id must be a text of 1 to ${MAX_KEY_LENGTH} characters.`,
    });
  else if (!isText(source, MAX_SOURCE_LENGTH))
    problems.push({ field: 'source', message: `source must be a text of 1 to ${MAX_SOURCE_LENGTH} characters.` });
  else return { source, externalId };
  return undefined;
}

/** Returns the events that a change implies: the lead was contacted, or opted out. */
export function toLeadEvents({ id, columns: changed, externalEvent, person }: LeadUpdate): ObservationDraft[] {
  const event = (type: string, key: string, at: unknown, description: string): ObservationDraft => ({
    kind: 'event',
    property: `interaction.${type}`,
    value: { description, lead_id: id },
    source: person.author ?? externalEvent?.source ?? DEFAULT_SOURCE,
    method: 'api',
    externalId: externalEvent?.externalId ?? `lead:${id}:${key}`,
    ...(typeof at === 'string' && { observedAt: parseInstant(at)! }),
  });
  const sent = changed.get('sent_at');
  const stop = changed.get('reply_outcome') === 'unsubscribe';
  return [
    ...(typeof sent === 'string' ? [event('email_sent', sent, sent, 'An e-mail was sent from a lead list.')] : []),
    ...(stop ? [event('unsubscribed', 'unsubscribed', changed.get('replied_at'), 'Asked not to be written to.')] : []),
  ];
}
