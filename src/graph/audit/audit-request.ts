import { validate as isUuid } from 'uuid';
import { ACTOR_KINDS } from '#domain/actor/actor.js';
import { parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { decodeListCursor, hashList } from '../lists/list-parameters.js';
import type { AuditQuery } from './audit.dto.js';
import type { AuditFilter, AuditPosition } from './audit.queries.js';

/** Default and maximum number of entries on a page. */
const DEFAULT_PAGE_SIZE = 50;
/** Maximum number of entries on a page. */
export const MAX_AUDIT_PAGE = 200;

/** A validated request for a page. */
export interface AuditRequest {
  readonly filter: AuditFilter;
  readonly limit: number;
  readonly after: AuditPosition | undefined;
  /** Hash of the filter, for cursors. */
  readonly hash: string;
}

/** Validates the query. @throws HubError `invalid_request`, `cursor_mismatch` */
export function toAuditRequest({ actor, action, object, since, until, limit, cursor }: AuditQuery): AuditRequest {
  const filter: AuditFilter = {
    ...(actor !== undefined && { actor: parseActor(actor) }),
    ...(action !== undefined && { action }),
    ...(object !== undefined && { object: parseObject(object) }),
    ...(since !== undefined && { since: parseInstant(since)! }),
    ...(until !== undefined && { until: parseInstant(until)! }),
  };
  const hash = hashList('audit', filter);
  const size = Math.min(limit ?? DEFAULT_PAGE_SIZE, MAX_AUDIT_PAGE);
  return { filter, hash, limit: size, after: cursor === undefined ? undefined : parsePosition(cursor, hash) };
}

function parsePosition(cursor: string, hash: string): AuditPosition {
  const { values, id } = decodeListCursor(cursor, hash, ['timestamptz']);
  if (typeof values[0] !== 'number') throw new HubError('cursor_mismatch');
  return { at: values[0], id };
}

/** Reads `key`, `key:<id>` or `<id>`. */
function parseActor(text: string): NonNullable<AuditFilter['actor']> {
  const [kind, id] = splitAtColon(text);
  const isKind = (ACTOR_KINDS as readonly string[]).includes(kind);
  if (id === undefined) return isKind ? { kind } : { id: kind };
  if (isKind) return { kind, id };
  const message = `actor must be one of ${ACTOR_KINDS.join(', ')}, an ID, or both with a colon between them.`;
  throw HubError.invalidRequest([{ field: 'actor', message }]);
}

/** Reads `api_key`, `api_key:<id>` or `<id>`. */
function parseObject(text: string): NonNullable<AuditFilter['object']> {
  const [type, id] = splitAtColon(text);
  if (id !== undefined) return { type, id };
  return isUuid(type) ? { id: type } : { type };
}

function splitAtColon(text: string): [string, string | undefined] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
}
