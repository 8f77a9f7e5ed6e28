import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to one request and is asked for far from its door. */
export interface RequestContext {
  readonly requestId: string;
  /** When the request must have been answered, on the clock of `performance.now()`. */
  readonly deadline: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as part of a request: whatever it calls or sets off finds `context`, and nothing else does. */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The id of the request at hand, if there is one. */
export function requestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** Milliseconds that the request at hand may still take; undefined outside a request. */
export function remainingMs(): number | undefined {
  const context = storage.getStore();
  return context && context.deadline - performance.now();
}

/** Runs `work` outside of any request: what it does is not the business of the caller that set it off. */
export function outsideRequest<T>(work: () => T): T {
  return storage.exit(work);
}
