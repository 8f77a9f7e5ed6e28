import { type DestinationStream, type Logger, pino } from 'pino';
import { requestId } from '#kernel/request-context.js';
import { redactFields, redactText } from './redaction.js';

/** The log of a process: JSON lines. */
export type Log = Logger;

const FLUSH_INTERVAL_MS = 200;
const FLUSH_BYTES = 4096;

/**
 * Opens the log. Every line that is written while a request is worked on carries its `request_id`; no line carries a
 * secret: what stands under a telling name is hidden, and so are keys, tokens and passwords inside any text.
 * @param destination where the lines go; standard output when absent, written in blocks at least each 200 ms.
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

/** The same log for lines whose fields are known to hold no secret and to name their request: it costs half as much. */
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
