import { type Actor, isPersonSource, toPersonSource } from '#domain/actor/actor.js';
import { KNOWN_SECTIONS, parseSection } from '#domain/facts/sections.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { FactsQuery, WriteFactRequest } from './facts.dto.js';
import type { FactsRequest } from './facts-read.service.js';
import type { FactWrite } from './facts.service.js';

/** Default and maximum number of facts in the flat list. */
export const DEFAULT_FACTS_LIMIT = 50;
export const MAX_FACTS_LIMIT = 500;

/** Converts a query to a request. @throws HubError `invalid_request` for an invalid section. */
export function toFactsRequest(query: FactsQuery): FactsRequest {
  const one = query.section === undefined ? [] : [parseSectionSlug('section', query.section)];
  const some = query.categories?.split(',').filter(text => text.trim() !== '') ?? [];
  const sections = [...new Set([...one, ...some.map(text => parseSectionSlug('categories', text))])];
  if (query.version !== undefined && (one.length !== 1 || sections.length !== 1)) {
    throw HubError.invalidRequest([{ field: 'version', message: 'version goes with one section; send section too.' }]);
  }
  return {
    sections: sections.length > 0 ? sections : undefined,
    version: query.version,
    asOf: query.as_of === undefined ? undefined : parseInstant(query.as_of),
    history: query.history === 'true',
    limit: Math.min(query.limit ?? DEFAULT_FACTS_LIMIT, MAX_FACTS_LIMIT),
  };
}

/**
 * Converts a body to a write.
 * @param actor who writes it: a signed-in person in their own name, whatever source the body names.
 * @throws HubError `section_required`, `content required`, `reserved_source`, `invalid_request`.
 */
export function toFactWrite(body: WriteFactRequest, actor?: Actor): FactWrite {
  const named = body.section ?? body.category;
  if (named === undefined || named.trim() === '') throw new HubError('section_required');
  rejectConflictingSections(body);
  if (isEmpty(body.content)) throw new HubError('content required');
  return {
    section: parseSectionSlug('section', named),
    content: body.content as JsonValue,
    mode: body.mode,
    subject: body.subject,
    source: toSource(body.source, actor),
    note: body.note,
    confidence: body.confidence ?? 0.9,
    sourcePath: body.source_path,
    expectedVersion: body.expected_version,
    supersedes: body.supersedes,
    dryRun: body.dry_run ?? false,
  };
}

/** Rejects two different sections: `category` is an alias of `section`. */
function rejectConflictingSections({ section, category }: WriteFactRequest): void {
  if (section === undefined || category === undefined || parseSection(section) === parseSection(category)) return;
  const message = `category is another name of section; these are "${section}" and "${category}". Send one.`;
  throw HubError.invalidRequest([{ field: 'category', message }]);
}

function toSource(given: string | null | undefined, actor: Actor | undefined): string {
  const own = toPersonSource(actor);
  const source = given ?? 'agent';
  if (isPersonSource(source) && source !== own) throw HubError.reservedSource('source');
  return own ?? source;
}

function parseSectionSlug(field: string, text: string): string {
  const section = parseSection(text);
  if (section !== undefined) return section;
  const message = `A section is a word of at most 40 letters, such as ${KNOWN_SECTIONS.join(', ')}.`;
  throw HubError.invalidRequest([{ field, message }]);
}

function isEmpty(content: unknown): boolean {
  return content === undefined || content === null || (typeof content === 'string' && content.trim() === '');
}
