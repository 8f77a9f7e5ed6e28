import type { HubContext, LogPort } from '#sdk/hub-context.js';
import { UnreachableError } from '#sdk/errors.js';
import type { HttpRequest, HttpResponse } from '#sdk/ports/http.js';
import { StepRecorder } from '#sdk/run-rules.js';
import type { PluginRun, ReportedRow } from '#sdk/runs.js';
import type { ToolContext } from '#sdk/tool.js';

const MAX_QUOTED_LENGTH = 200;

/**
 * Returns a hub context that came from the hub's process with those of its methods that return at once, and not a
 * promise: the clock, the log, and reading a response as JSON.
 */
export function toLocalHub(hub: HubContext): HubContext {
  return Object.freeze({
    ...hub,
    credentials: Object.freeze(hub.credentials),
    settings: Object.freeze(hub.settings),
    clock: { now: () => new Date() },
    log: toLocalLog(hub.log),
    http: { ...hub.http, request: async (request: HttpRequest) => withJson(await hub.http.request(request)) },
  });
}

/** Returns whether an argument of a handler is the hub context. */
export function isHubContext(value: unknown): value is HubContext {
  return typeof value === 'object' && value !== null && 'graph' in value && 'credentials' in value && 'http' in value;
}

/** Returns the run of a step, which checks what it is called with before the hub's process hears of it. */
export function toLocalRun(run: PluginRun): PluginRun {
  const progress = { done: run.completed, total: null, message: null };
  const { id, name, input, state, step, attempt, signal } = run;
  const local = new StepRecorder({ id, name, input, state, step, attempt, signal, progress }).toRun();
  return Object.freeze({
    ...local,
    progress: (done: number, total?: number, message?: string) => {
      local.progress(done, total, message);
      sendOnly(run.progress, done, total, message);
    },
    report: (row: ReportedRow) => {
      local.report(row);
      sendOnly(run.report, row);
    },
  });
}

/** Returns the context of a tool call, whose log returns at once. */
export function toLocalToolContext(call: ToolContext): ToolContext {
  return { ...call, log: (...line) => sendOnly(call.log, ...line) };
}

function toLocalLog(log: LogPort): LogPort {
  return {
    debug: (...line) => sendOnly(log.debug, ...line),
    info: (...line) => sendOnly(log.info, ...line),
    warn: (...line) => sendOnly(log.warn, ...line),
    error: (...line) => sendOnly(log.error, ...line),
  };
}

/** Calls a function of the hub's process without waiting. Messages arrive in their order, so before the result. */
function sendOnly<Args extends unknown[]>(call: (...args: Args) => void, ...args: Args): void {
  (call as unknown as (...args: Args) => Promise<void>)(...args).catch(() => undefined);
}

function withJson(response: HttpResponse): HttpResponse {
  const { status, text } = response;
  return {
    ...response,
    json<Body>(): Body {
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw new UnreachableError(`The response (${status}) is not JSON: ${text.slice(0, MAX_QUOTED_LENGTH)}`);
      }
    },
  };
}
