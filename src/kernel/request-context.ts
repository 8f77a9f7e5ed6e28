import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '#domain/actor/actor.js';
import type { CooperativeScheduler } from '#kernel/scheduling/cooperative-scheduler.js';

/** The sender of a request, as the server sees it. */
export interface RequestPeer {
  /** IP address of the client, behind trusted proxies too. */
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
}

/** Context of a request, available to everything that it calls. */
export interface RequestContext {
  readonly requestId: string;
  /** Deadline of the response in milliseconds of `performance.now()`. */
  deadline: number;
  /** Schedules long synchronous work. */
  readonly scheduler?: CooperativeScheduler;
  /** The sender; absent if the work was not requested over HTTP. */
  readonly peer?: RequestPeer;
  /** The caller's workspace; set when the key has been looked up. */
  workspace?: string;
  /** Who sends the request; set with the workspace. */
  actor?: Actor;
  /** Number of database connections that this request holds. */
  heldConnections?: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` within a request: all its synchronous and asynchronous calls see `context`. */
export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** Returns the ID of the current request; undefined outside a request. */
export function requestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** Returns the milliseconds until the deadline of the current request; undefined outside a request. */
export function remainingMs(): number | undefined {
  const context = storage.getStore();
  return context && context.deadline - performance.now();
}

/** Lifts the deadline of the current request, whose body or response may take any time. */
export function liftDeadline(): void {
  const context = storage.getStore();
  if (context) context.deadline = Infinity;
}

/** Returns the sender of the current request; undefined outside a request. */
export function requestPeer(): RequestPeer | undefined {
  return storage.getStore()?.peer;
}

/** Returns who sends the current request; undefined outside a request, and if it is not authenticated. */
export function requestActor(): Actor | undefined {
  return storage.getStore()?.actor;
}

/**
 * Sets the workspace of the current request, so that its long work alternates with that of other workspaces, and who
 * acts in it.
 */
export function assignWorkspace(workspace: string, actor?: Actor): void {
  const context = storage.getStore();
  if (!context) return;
  context.workspace = workspace;
  if (actor) context.actor = actor;
}

/** Returns the scheduler of the current request and the owner of its turns; undefined outside a request. */
export function requestWork(): { readonly scheduler: CooperativeScheduler; readonly owner: string } | undefined {
  const context = storage.getStore();
  return context?.scheduler && { scheduler: context.scheduler, owner: context.workspace ?? '' };
}

/** Returns whether the current request holds a database connection already. */
export function holdsConnection(): boolean {
  return (storage.getStore()?.heldConnections ?? 0) > 0;
}

/** Counts a database connection that the current request takes or, with -1, gives back. */
export function countConnection(by: 1 | -1): void {
  const context = storage.getStore();
  if (context) context.heldConnections = (context.heldConnections ?? 0) + by;
}

/** Returns whether the code runs in a request whose caller is not known: one without a valid API key. */
export function isAnonymousRequest(): boolean {
  const context = storage.getStore();
  return context !== undefined && context.workspace === undefined;
}

/** Runs `work` outside of any request, so that it is not bound to the request that triggered it. */
export function runDetached<T>(work: () => T): T {
  return storage.exit(work);
}
