import { isPrecise, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { isPlainObject } from '#domain/observation/json-check.js';
import type { Problem } from '#domain/observation/observation.js';
import { type Origin, readPerson } from '#domain/people/read-person.js';
import { HubError } from '#kernel/errors/errors.js';
import type { PersonWish } from './person-writer.js';

/** A checked request to write a person. */
export interface PersonRequest {
  readonly wish: PersonWish;
  /** Whom a change is about; undefined where the identifiers of the wish tell. */
  readonly focus?: PreciseFocus;
  readonly dryRun: boolean;
}

const CREATED: Origin = { source: 'form', method: 'api' };
const ASSERTED: Origin = { source: 'agent', method: 'assert' };
const LONGEST_SOURCE = 100;
/** Fields of a body that say whom a change is about. */
const FOCI = ['focus', 'id', 'entity_id'] as const;

/**
 * Reads the body of POST /v2/people. Assertions stand flat, in `fields` or in `properties`. @throws HubError `identifier_required`,
 * `invalid_request`.
 */
export function readNewPerson(body: unknown): PersonRequest {
  const row = withFields(objectOf(body));
  const origin = { ...CREATED, ...sourceOf(row) };
  const wish = wishOf(row, origin, new Set(row['source'] === null ? ['dry_run', 'source'] : ['dry_run']));
  if (wish.identifiers.length === 0) throw new HubError('identifier_required');
  return { wish, dryRun: dryRunOf(row) };
}

/**
 * Reads the body of PATCH /v2/people. Whom it is about stands in the path, in `focus`, `id` or `entity_id`, or is told
 * by the address or profile in the body. Assertions stand flat, in `fields` or in `properties`.
 * @throws HubError `invalid_focus` for a bare name, `identifier_required`, `no_updatable_fields`, `invalid_request`.
 */
export function readPersonChange(body: unknown, path?: string): PersonRequest {
  const row = withFields(objectOf(body));
  const focus = focusOf(row, path);
  const wish = wishOf(row, ASSERTED, new Set([...FOCI, 'dry_run']));
  if (!focus && wish.identifiers.length === 0) throw new HubError('identifier_required');
  if (wish.observations.length === 0 && wish.identifiers.length === 0) throw nothingToChange();
  return { wish, focus, dryRun: dryRunOf(row) };
}

/** Whom a change is about. Where the path and the body say it in one form, they must say the same. */
function focusOf(row: Record<string, unknown>, path: string | undefined): PreciseFocus | undefined {
  let whom = path === undefined ? undefined : preciseFocusOf(path);
  for (const field of FOCI) {
    if (row[field] === undefined || row[field] === null) continue;
    const named = preciseFocusOf(row[field]);
    whom ??= named;
    if (whom.form === named.form && keyOf(whom) !== keyOf(named))
      throw invalid(field, `${field} names somebody else than ${path === undefined ? 'focus' : 'the path'}; send one.`);
  }
  return whom;
}

function keyOf(focus: PreciseFocus): string {
  return focus.form === 'uuid' ? focus.id : focus.key;
}

/** A focus that a write accepts. @throws HubError `invalid_focus`. */
export function preciseFocusOf(text: unknown): PreciseFocus {
  const focus = typeof text === 'string' ? parseFocus(text) : undefined;
  if (focus && isPrecise(focus)) return focus;
  throw HubError.invalidFocus(focus?.form === 'invalid' ? focus.reason : undefined);
}

/** A body that is an object. @throws HubError `invalid_request`. */
export function objectOf(body: unknown): Record<string, unknown> {
  if (isPlainObject(body)) return body;
  throw invalid('body', 'The body must be a JSON object.');
}

/** That a change changes nothing. */
export function nothingToChange(): HubError {
  const detail =
    'Send at least one field that can be changed. Null ends a fact; blank text and null identifiers say nothing.';
  return new HubError('no_updatable_fields', { detail });
}

function withFields({ fields = {}, ...row }: Record<string, unknown>): Record<string, unknown> {
  if (!isPlainObject(fields)) throw invalid('fields', 'fields must be an object of facts by property.');
  return { ...row, ...fields };
}

function sourceOf({ source }: Record<string, unknown>): { readonly source?: string } {
  if (source === undefined || source === null) return {};
  if (typeof source === 'string' && source.trim() !== '' && source.length <= LONGEST_SOURCE) return { source };
  throw invalid('source', `source must be a text of 1 to ${LONGEST_SOURCE} characters, or be left out.`);
}

function wishOf(row: Record<string, unknown>, origin: Origin, reserved: ReadonlySet<string>): PersonWish {
  const problems: Problem[] = [];
  const wish = readPerson(row, { origin, now: Date.now() * 1_000, reserved }, problems);
  if (problems.length > 0) throw HubError.invalidRequest(problems.slice(0, 50));
  return wish;
}

function dryRunOf({ dry_run: given = false }: Record<string, unknown>): boolean {
  if (typeof given === 'boolean') return given;
  throw invalid('dry_run', 'dry_run is true or false.');
}

function invalid(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
