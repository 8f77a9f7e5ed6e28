import type { LogPort } from '../hub-context.js';

/**
 * A log line of the plugin. Unlike in the hub, secrets are not redacted, so that a test can find them.
 * @example expect(hub.logs).toContainEqual(expect.objectContaining({ level: 'warn' }));
 */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Creates a log that appends to `lines`. */
export function recordingLog(lines: LogLine[]): LogPort {
  const append =
    (level: LogLine['level']) =>
    (message: string, details?: Readonly<Record<string, unknown>>): void => {
      lines.push({ level, message, ...(details && { details }) });
    };
  return { debug: append('debug'), info: append('info'), warn: append('warn'), error: append('error') };
}
