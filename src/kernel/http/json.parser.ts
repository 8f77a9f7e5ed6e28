import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { excerptOf } from '#domain/observation/excerpt.js';
import { HubError } from '#kernel/errors/errors.js';
import { flawIn, prototypeName, unstorableText } from './json.limits.js';

/** Objects and lists inside each other that a body may have. */
export const MAX_DEPTH = 32;

const ESCAPED_ODDITY = /\\u(?:0000|d[89a-f])/i;

/**
 * Reads JSON bodies, and nothing else: other content types are refused with 415. An empty body counts as none.
 * Refuses with 400 what is not UTF-8, what is not JSON, the names `__proto__` and `constructor.prototype`, more than
 * {@link MAX_DEPTH} levels, numbers that are infinite, and text that a database cannot keep (NUL, half a surrogate pair).
 */
export function readJsonOnly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    if (!isUtf8(bytes)) return done(notJson('The body is not UTF-8 text.'));
    const text = bytes.toString('utf8');
    return parse(request, text, (error, value) => {
      if (error) return done(unreadable(text));
      const problem = problemWith(value, text);
      return problem ? done(problem) : done(null, value);
    });
  });
}

function problemWith(value: unknown, text: string): HubError | undefined {
  const flaw = flawIn(value, MAX_DEPTH);
  if (flaw?.what === 'too deep') return notJson(`The body nests deeper than ${MAX_DEPTH} levels.`, flaw.path);
  if (flaw) return refused(flaw.path, 'is a number beyond what JSON numbers can hold.');
  const suspicious = text.includes('\\u') && ESCAPED_ODDITY.test(text);
  const field = suspicious ? unstorableText(value) : undefined;
  if (field === undefined) return undefined;
  return refused(field, 'holds a NUL character or half a surrogate pair, which no text may.');
}

function refused(path: string, message: string): HubError {
  const field = excerptOf(path);
  return HubError.invalidRequest([{ field: field || 'body', message: `${field || 'The body'} ${message}` }]);
}

/** Why the parser refused a text: what is JSON all the same names a prototype. */
function unreadable(text: string): HubError {
  try {
    const path = prototypeName(JSON.parse(text));
    return path === undefined ? notJson() : notJson(`${excerptOf(path)} is a name that no body may have.`, path);
  } catch {
    return notJson();
  }
}

function notJson(detail?: string, path?: string): HubError {
  if (detail === undefined || !path) return new HubError('invalid_json', { detail });
  return new HubError('invalid_json', { detail, details: [{ field: excerptOf(path), message: detail }] });
}
