import { validate as isUuid } from 'uuid';
import { logPropertiesFor } from '../claims/claims.service.js';
import type { EntityType } from '#domain/identity/focus.js';
import { EVENT_PREFIX, type ObservationKind } from '#domain/observation/observation.js';
import { canonicalEvent, canonicalProperty, listEventNames } from '#domain/properties/registry.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { CHANGE_KINDS, type ChangeKind } from './changes.presenter.js';
import type { ChangeFilter, ChangeOrigin, ChangePosition } from './changes.queries.js';

/** Default and maximum number of changes on a page. */
export const DEFAULT_CHANGES = 100;
/** Maximum number of changes on a page. */
export const MAX_CHANGES = 1_000;
/** Maximum number of properties, and of sources, of a request. */
const MAX_NAMES = 100;
/** The value of `after` that begins behind everything there is. */
const LATEST = 'latest';

const ENTITY_TYPES: readonly EntityType[] = ['person', 'company'];
const BEGINNING: ChangePosition = { position: '0', id: '00000000-0000-0000-0000-000000000000' };
const POSITION = /^\d{1,18}$/;

/** What a caller selects. Everything that is not given is not limited. */
export interface ChangesInput {
  readonly after?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly properties?: readonly string[] | undefined;
  readonly notFrom?: readonly string[] | undefined;
  readonly limit?: unknown;
}

/** A validated request for a page of changes. */
export interface ChangesRequest {
  readonly after: ChangePosition | 'latest';
  readonly kinds: ReadonlySet<ChangeKind>;
  /** Canonical names; undefined for all. */
  readonly properties: ReadonlySet<string> | undefined;
  readonly filter: ChangeFilter;
  readonly limit: number;
}

/** Validates a request. @throws HubError `invalid_request` that names the field. */
export function readChangesRequest({ after, kinds, types, properties, notFrom, limit }: ChangesInput): ChangesRequest {
  const wanted = new Set(pick('kinds', kinds, CHANGE_KINDS));
  const names = properties && requireNames('properties', properties);
  const observationKinds: readonly ObservationKind[] = wanted.has('claim') ? ['state', 'event'] : ['event'];
  const origins: readonly ChangeOrigin[] = [
    ...(wanted.has('claim') || wanted.has('event') ? (['observation'] as const) : []),
    ...(['retraction', 'merge', 'unmerge', 'erasure'] as const).filter(kind => wanted.has(kind)),
  ];
  return {
    after: after === undefined ? BEGINNING : after === LATEST ? LATEST : parseChangeCursor(after),
    kinds: wanted,
    properties: names && new Set(names.map(toCanonicalName)),
    filter: {
      origins,
      observationKinds,
      logProperties: names ? [...new Set(names.flatMap(listLogNames))] : null,
      types: types ? pick('types', types, ENTITY_TYPES) : null,
      notFrom: notFrom ? requireNames('not_from', notFrom) : [],
    },
    limit: readLimit(limit),
  };
}

function readLimit(limit: unknown = DEFAULT_CHANGES): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return Math.min(limit, MAX_CHANGES);
  throw HubError.invalidRequest([
    { field: 'limit', message: `limit must be a whole number from 1 to ${MAX_CHANGES}.` },
  ]);
}

/** Encodes a position as an opaque cursor. */
export function encodeChangeCursor({ position, id }: ChangePosition): string {
  return Buffer.from(`${position}.${id}`).toString('base64url');
}

/** Returns the place after all rows below a position. */
export function positionAt(position: string): ChangePosition {
  return { ...BEGINNING, position };
}

/** Parses a cursor. @throws HubError `invalid_request` */
export function parseChangeCursor(text: string): ChangePosition {
  const [position = '', id = ''] = Buffer.from(text, 'base64url').toString('latin1').split('.', 2);
  if (POSITION.test(position) && isUuid(id)) return { position, id };
  const message = `after must be \`next_cursor\` of an earlier page, or "${LATEST}"; leave it out to begin with the oldest.`;
  throw HubError.invalidRequest([{ field: 'after', message }]);
}

function pick<T extends string>(
  field: string,
  given: readonly string[] | undefined,
  known: readonly T[],
): readonly T[] {
  if (given === undefined) return known;
  const picked = known.filter(name => given.includes(name));
  if (picked.length > 0 && given.every(name => (known as readonly string[]).includes(name))) return picked;
  throw HubError.invalidRequest([{ field, message: `${field} must be one or more of ${known.join(', ')}.` }]);
}

function requireNames(field: string, names: readonly string[]): readonly string[] {
  if (names.length > 0 && names.length <= MAX_NAMES && names.every(name => name.trim() !== '')) return names;
  throw HubError.invalidRequest([{ field, message: `${field} must be 1 to ${MAX_NAMES} names.` }]);
}

function toCanonicalName(name: string): string {
  return name.startsWith(EVENT_PREFIX) ? canonicalEvent(name) : canonicalProperty(name);
}

/** Returns the names under which the log has what a caller calls a property. */
function listLogNames(name: string): readonly string[] {
  const canonical = toCanonicalName(name);
  return name.startsWith(EVENT_PREFIX) ? listEventNames(canonical) : logPropertiesFor(canonical);
}
