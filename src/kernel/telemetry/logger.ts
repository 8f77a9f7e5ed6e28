import { type DestinationStream, type Logger, pino } from 'pino';
import type { LoggerService } from '@nestjs/common';
import { requestId } from '#kernel/request-context.js';
import { redactFields, redactText } from './redaction.js';

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
