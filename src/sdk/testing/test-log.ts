import type { LogPort } from '../hub-context.js';

/**
 * A line that the plugin has logged. Unlike in the hub, secrets are not taken out, so that a test can find them.
 * @example expect(hub.logs).toContainEqual(expect.objectContaining({ level: 'warn' }));
 */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines in `lines`. */
export function recordingLog(lines: LogLine[]): LogPort {
  const keep =
    (level: LogLine['level']) =>
    (message: string, details?: Readonly<Record<string, unknown>>): void => {
      lines.push({ level, message, ...(details && { details }) });
    };
  return { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}
