import { AsyncLocalStorage } from 'node:async_hooks';
import type { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';

/** What belongs to one request and is asked for far from its door. */
export interface RequestContext {
  readonly requestId: string;
  /** When the request must have been answered, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Grants turns to long synchronous work. */
  readonly scheduler?: CooperativeScheduler;
  /** The workspace of the caller, once the key has been looked up. */
  workspace?: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as part of a request: whatever it calls or sets off finds `context`, and nothing else does. */
export function runInRequest<T>(context: RequestContext, work: () => T): T {
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

/** Tells the request at hand whose it is, so that its long work takes turns with that of other workspaces. */
export function assignWorkspace(workspace: string): void {
  const context = storage.getStore();
  if (context) context.workspace = workspace;
}

/** Returns what grants turns to the request at hand, and in whose name it asks for them; undefined outside a request. */
export function requestWork(): { readonly scheduler: CooperativeScheduler; readonly owner: string } | undefined {
  const context = storage.getStore();
  return context?.scheduler && { scheduler: context.scheduler, owner: context.workspace ?? '' };
}

/** Runs `work` outside of any request: what it does is not the business of the caller that set it off. */
export function runDetached<T>(work: () => T): T {
  return storage.exit(work);
}
