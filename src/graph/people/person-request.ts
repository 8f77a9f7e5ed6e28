import type { PreciseFocus } from '#domain/identity/focus.js';
import { isPlainObject, type ObservationProblem } from '#domain/observation/observation.js';
import { type ObservationOrigin, parsePerson } from '#domain/people/parse-person.js';
import { attribute, requireOwnSource } from '../observations/author.js';
import { parsePreciseFocus } from '../observations/record-call.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { PersonWriteInput } from './person.writer.js';

/** A validated request to write a person. */
export interface PersonRequest {
  readonly input: PersonWriteInput;
  /** The person of an update; undefined if the identifiers of the input determine it. */
  readonly focus?: PreciseFocus;
  readonly dryRun: boolean;
}

const CREATE_ORIGIN: ObservationOrigin = { source: 'form', method: 'api' };
const ASSERT_ORIGIN: ObservationOrigin = { source: 'agent', method: 'assert' };
const MAX_SOURCE_LENGTH = 100;
const EXAMPLES = {
  email: 'an address such as ada@acme.com',
  linkedin_url: 'a profile such as https://www.linkedin.com/in/ada',
  domain: 'a domain such as acme.com',
} as const;
const IDENTIFIER_FIELDS = ['email', 'linkedin_url', 'domain'] as const;
/** Fields of a body that name the person of an update. */
const FOCUS_FIELDS = ['focus', 'id', 'entity_id'] as const;

/**
 * Reads the body of POST /v2/people. Assertions are at the top level, in `fields` or in `properties`.
 * @throws HubError `identifier_required`, `invalid_request`.
 */
export function readNewPerson(body: unknown): PersonRequest {
  const row = mergeFields(requireObject(body));
  const origin = { ...CREATE_ORIGIN, ...parseSource(row) };
  const input = parsePersonInput(
    row,
    origin,
    new Set(row['source'] === null ? ['dry_run', 'source'] : ['dry_run']),
    'ignore',
  );
  if (input.identifiers.length === 0) throw identifierRequired(row);
  return { input, dryRun: parseDryRun(row) };
}

/**
 * Reads the body of PATCH /v2/people. The person is named by the path, by `focus`, `id` or `entity_id`, or by an e-mail
 * address or profile in the body. Assertions are at the top level, in `fields` or in `properties`.
 * @throws HubError `invalid_focus` for a bare name, `identifier_required`, `no_updatable_fields`, `invalid_request`.
 */
export function readPersonUpdate(body: unknown, path?: string): PersonRequest {
  const row = mergeFields(requireObject(body));
  const focus = parseFocusFields(row, path);
  const input = parsePersonInput(row, ASSERT_ORIGIN, new Set([...FOCUS_FIELDS, 'dry_run']), 'refuse');
  if (!focus && input.identifiers.length === 0) throw identifierRequired(row);
  if (input.observations.length === 0 && input.identifiers.length === 0) throw noUpdatableFields();
  return { input, focus, dryRun: parseDryRun(row) };
}

/** Returns a request that is stated in the name of the signed-in person, if there is one. */
export function attributePerson(request: PersonRequest): PersonRequest {
  return { ...request, input: attribute(request.input) };
}

/** Returns the focus of an update. If path and body name the person in the same form, they must be equal. */
function parseFocusFields(row: Record<string, unknown>, path: string | undefined): PreciseFocus | undefined {
  let focus = path === undefined ? undefined : parsePreciseFocus(path);
  for (const field of FOCUS_FIELDS) {
    if (row[field] === undefined || row[field] === null) continue;
    const named = parsePreciseFocus(row[field]);
    focus ??= named;
    if (focus.form === named.form && toComparableKey(focus) !== toComparableKey(named))
      throw HubError.invalidField(
        field,
        `${field} names somebody else than ${path === undefined ? 'focus' : 'the path'}; send one.`,
      );
  }
  return focus;
}

function toComparableKey(focus: PreciseFocus): string {
  return focus.form === 'uuid' ? focus.id : focus.key;
}

/** Returns the body as an object. @throws HubError `invalid_request` for anything else. */
export function requireObject(body: unknown): Record<string, unknown> {
  if (isPlainObject(body)) return body;
  throw HubError.invalidField('body', 'The body must be a JSON object.');
}

/** Returns the error for an update without any change. */
export function noUpdatableFields(): HubError {
  const detail =
    'Send at least one field that can be changed. Null ends a fact; blank text and null identifiers say nothing.';
  return new HubError('no_updatable_fields', { detail });
}

function mergeFields({ fields = {}, ...row }: Record<string, unknown>): Record<string, unknown> {
  if (!isPlainObject(fields)) throw HubError.invalidField('fields', 'fields must be an object of facts by property.');
  return { ...row, ...fields };
}

function parseSource({ source }: Record<string, unknown>): { readonly source?: string } {
  if (source === undefined || source === null) return {};
  if (typeof source === 'string' && source.trim() !== '' && source.length <= MAX_SOURCE_LENGTH)
    return { source: requireOwnSource(source) };
  throw HubError.invalidField(
    'source',
    `source must be a text of 1 to ${MAX_SOURCE_LENGTH} characters, or be left out.`,
  );
}

function parsePersonInput(
  row: Record<string, unknown>,
  origin: ObservationOrigin,
  reserved: ReadonlySet<string>,
  placeholders: 'refuse' | 'ignore',
): PersonWriteInput {
  const problems: ObservationProblem[] = [];
  const person = parsePerson(row, { origin, now: Date.now() * 1_000, reserved, placeholders }, problems);
  if (problems.length > 0) throw HubError.invalidRequest(problems.slice(0, 50));
  return person;
}

function parseDryRun({ dry_run: dryRun = false }: Record<string, unknown>): boolean {
  if (typeof dryRun === 'boolean') return dryRun;
  throw HubError.invalidField('dry_run', 'dry_run must be true or false.');
}

/** Returns the error for a row without an identifier, naming the identifier fields that were sent empty. */
function identifierRequired(row: Record<string, unknown>): HubError {
  const details = IDENTIFIER_FIELDS.filter(field => Object.hasOwn(row, field)).map(field => ({
    field,
    message: `${field} is empty: send ${EXAMPLES[field]}, or another identifier.`,
  }));
  return new HubError('identifier_required', details.length > 0 ? { details } : {});
}
