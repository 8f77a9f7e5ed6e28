import type { LoggerService } from '@nestjs/common';
import type { Log } from './logger.js';

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
