import { Injectable } from '@nestjs/common';
import { toFocusText } from '#domain/identity/focus.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { ProfileCache } from '../facts/facts.caches.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPlainObject } from '#domain/observation/observation.js';

/** Converts the forms in which callers name an entity to the text that the rest of the hub reads. */
@Injectable()
export class FocusInputService {
  constructor(private readonly profiles: ProfileCache) {}

  /**
   * Returns the text of a focus that is an object (`{external: {system, id, type?}}` or `{phone}`) or a `tel:` link
   * without a country code; any other text is returned as it is.
   * @throws HubError `invalid_focus` with the reason.
   */
  async toText(workspace: string, given: string | object): Promise<string> {
    const { phoneCountry } = await this.profiles.read(workspace);
    const result = toFocusText(given, phoneCountry);
    if (result === undefined) return given as string;
    if ('reason' in result) throw HubError.invalidFocus(result.reason);
    return result.text;
  }
}

/** Fields of requests that name an entity, and fields with a list of them. */
const FOCUS_FIELDS = ['focus', 'identifier', 'id', 'entity_id', 'a', 'b', 'keep', 'drop'] as const;
const LIST_FIELDS = ['identifiers'] as const;

/** Tools of the core with an argument that names an entity. */
const TOOLS: ReadonlySet<unknown> = new Set(
  'get_account get_context save_note search_notes record score verify query'.split(' '),
);

const NATIONAL_LINK = /^tel:\s*[^+\s]/i;

/**
 * Lets every request name an entity by `{external: {system, id}}` or `{phone}`, and by a `tel:` link of the workspace's
 * own country, wherever it may name one by a text. Requests of plugins are left alone. Requests that use none of these
 * forms pass synchronously.
 */
export function acceptFocusObjects(fastify: FastifyInstance, focuses: FocusInputService): void {
  fastify.addHook('preValidation', (request, _reply, done) => {
    const { caller } = request;
    const changes = caller ? findFocusInputs(request) : [];
    if (!caller || changes.length === 0) return done();
    const replace = async ({ holder, field }: FocusInput) => {
      holder[field] = await focuses.toText(caller.workspaceId, holder[field] as string | object);
    };
    Promise.all(changes.map(replace)).then(() => done(), done);
  });
}

/** A field to convert. */
interface FocusInput {
  readonly holder: Record<string, unknown>;
  readonly field: string;
}

function findFocusInputs({ url, body, params, query }: FastifyRequest): FocusInput[] {
  if (url.startsWith('/mcp')) return [body].flat().flatMap(findInToolCall);
  if (!url.startsWith('/v2/') || url.startsWith('/v2/plugins/')) return [];
  return [...findIn(body), ...findLinks(params, 'id'), ...findLinks(query, 'focus')];
}

function findInToolCall(message: unknown): FocusInput[] {
  if (!isPlainObject(message) || !isPlainObject(message['params'])) return [];
  const { name, arguments: given } = message['params'];
  return TOOLS.has(name) ? findIn(given) : [];
}

function findIn(body: unknown): FocusInput[] {
  if (!isPlainObject(body)) return [];
  const own = FOCUS_FIELDS.filter(field => isConvertible(body[field])).map(field => ({ holder: body, field }));
  const listed = LIST_FIELDS.flatMap(field => (Array.isArray(body[field]) ? [body[field] as unknown[]] : []));
  return [
    ...own,
    ...listed.flatMap(list =>
      list.flatMap((item, i) =>
        isConvertible(item) ? [{ holder: list as unknown as Record<string, unknown>, field: String(i) }] : [],
      ),
    ),
  ];
}

function findLinks(values: unknown, field: string): FocusInput[] {
  const holder = values as Record<string, unknown> | null | undefined;
  const given = holder?.[field];
  return holder && typeof given === 'string' && NATIONAL_LINK.test(given) ? [{ holder, field }] : [];
}

function isConvertible(given: unknown): boolean {
  return isPlainObject(given) || (typeof given === 'string' && NATIONAL_LINK.test(given));
}
