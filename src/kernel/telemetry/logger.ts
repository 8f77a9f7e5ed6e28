import { type DestinationStream, type Logger, pino } from 'pino';
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
