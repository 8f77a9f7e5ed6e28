import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { HubError } from '#kernel/errors/errors.js';
import { nestsDeeperThan, unstorableText } from './json.limits.js';

/** Objects and lists inside each other that a body may have. */
export const MAX_DEPTH = 32;

const ESCAPED_ODDITY = /\\u(?:0000|d[89a-f])/i;

/**
 * Reads JSON bodies, and nothing else: other content types are refused with 415. An empty body counts as none.
 * Refuses with 400 what is not UTF-8, what is not JSON, the names `__proto__` and `constructor.prototype`, more than
 * {@link MAX_DEPTH} levels, and text that a database cannot keep (NUL, half a surrogate pair).
 */
export function readJsonOnly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    if (!isUtf8(bytes)) return done(notJson('The body is not UTF-8 text.'));
    const text = bytes.toString('utf8');
    return parse(request, text, (error, value) => {
      if (error) return done(notJson());
      const problem = problemWith(value, text);
      return problem ? done(problem) : done(null, value);
    });
  });
}

function problemWith(value: unknown, text: string): HubError | undefined {
  if (nestsDeeperThan(value, MAX_DEPTH)) return notJson(`The body nests deeper than ${MAX_DEPTH} levels.`);
  const suspicious = text.includes('\\u') && ESCAPED_ODDITY.test(text);
  const field = suspicious ? unstorableText(value) : undefined;
  if (field === undefined) return undefined;
  const message = 'holds a NUL character or half a surrogate pair, which no text may.';
  return HubError.invalidRequest([{ field, message: `${field || 'The body'} ${message}` }]);
}

function notJson(detail?: string): HubError {
  return new HubError('invalid_json', { detail });
}
