import { type DestinationStream, type Logger, pino } from 'pino';
import type { LoggerService } from '@nestjs/common';
import { requestId } from '#kernel/request-context.js';

const SECRET_FIELD_NAME =
  /authorization|cookie|api[-_]?key$|secret|password|passphrase|credential|private[-_]?key|signature|(?:^|[-_])token$|^(?:access|refresh|id)token$/i;
const SECRET_TEXT = /(\brap_[a-z]+_)\w{8,}|(\bBearer )[^\s"\\]+|(:\/\/[^\s"/:@]*:)[^\s"/@]+(?=@)/gi;
/** Every secret text contains one of these; searching for them is far cheaper than the pattern. */
const SECRET_MARKERS = ['rap_', 'earer ', 'EARER ', '://'];
const REDACTED_TEXT = '[hidden]';
const MAX_DEPTH = 8;
const MAX_CACHED_NAMES = 2_000;

const secretNameCache = new Map<string, boolean>();

/** Copies `fields` with the values of secret names redacted, at most eight levels deep. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    copy[name] = isSecretName(name) ? REDACTED_TEXT : redactValue(value, depth + 1);
  return copy;
}

/** Redacts API keys, bearer tokens and passwords in URLs, wherever they are in the text. */
export function redactText(text: string): string {
  return SECRET_MARKERS.some(sign => text.includes(sign)) ? text.replace(SECRET_TEXT, `$1$2$3${REDACTED_TEXT}`) : text;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || isScalar(value)) return value;
  if (depth === MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map(item => redactValue(item, depth + 1));
  return redactFields(value instanceof Error ? toPlainError(value) : value, depth);
}

/** Returns whether a name denotes a secret. Cached, because names come from a small vocabulary. */
function isSecretName(name: string): boolean {
  let verdict = secretNameCache.get(name);
  if (verdict === undefined) {
    verdict = SECRET_FIELD_NAME.test(name);
    if (secretNameCache.size < MAX_CACHED_NAMES) secretNameCache.set(name, verdict);
  }
  return verdict;
}

function isScalar(value: object): boolean {
  return value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value);
}

function toPlainError(error: Error): object {
  const { name, message, stack, cause } = error;
  return { ...error, type: name, message, stack, ...(cause !== undefined && { cause }) };
}

/** The logger of a process, which writes JSON lines. */
export type Log = Logger;

const FLUSH_INTERVAL_MS = 200;
const FLUSH_BYTES = 4096;

/**
 * Creates the logger. Every line written during a request has its `request_id`. No line contains a secret: values
 * under secret names are redacted, and so are keys, tokens and passwords inside texts.
 * @param destination defaults to standard output, written in blocks at least every 200 ms.
 */
export function createLogger(level: string, destination: DestinationStream = openStandardOutput()): Log {
  return pino(
    {
      level,
      base: undefined,
      serializers: { err: error => error },
      formatters: { level: label => ({ level: label }), log: fields => redactFields(fields) },
      mixin: getRequestFields,
      hooks: { streamWrite: redactText },
    },
    destination,
  );
}

/**
 * Returns the same logger for lines whose fields contain no secret and already name their request; it costs half as
 * much.
 */
export function withoutRedaction(log: Log): Log {
  return log.child({}, { formatters: { log: fields => fields } });
}

function getRequestFields(): object {
  const id = requestId();
  return id === undefined ? {} : { request_id: id };
}

function openStandardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: FLUSH_BYTES, periodicFlush: FLUSH_INTERVAL_MS });
}

/** Contexts of Nest's own startup messages, logged at `debug`. */
const STARTUP_CONTEXTS = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

/**
 * Contexts of Nest's messages about a failed start, logged at `debug`: it also throws the error, which the caller
 * reports.
 */
const START_FAILURE_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Adapts the log of the process to Nest's logger; the name of a Nest `Logger` becomes the field `context`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Log) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(STARTUP_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(START_FAILURE_CONTEXTS.has(String(rest.at(-1))) ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Writes a line; Nest passes the logger name last and, for errors, a stack before it. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const further = context === undefined ? rest : rest.slice(0, -1);
    const fields = { context, ...(further.length > 0 && { more: further }) };
    if (message instanceof Error) return this.logger[level]({ ...fields, err: message }, message.message);
    if (typeof message === 'object' && message !== null) return this.logger[level]({ ...fields, ...message });
    this.logger[level](fields, String(message));
  }
}
