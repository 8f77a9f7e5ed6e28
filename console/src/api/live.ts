import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Hub } from './client.ts';
import { useWorkspace } from './workspace.tsx';

/** How long a page loads in peace before it listens, in milliseconds. */
const START_MS = 2_000;
/** Time between two attempts to listen, in milliseconds. */
const RETRY_MS = 5_000;
/** Shortest time between two refreshes, in milliseconds, so that an import does not load a page all the time. */
const REFRESH_MS = 3_000;
/** Queries that are loaded again while their page is open. Lists keep their place: they are new when they are opened next. */
const LIVE_QUERIES: ReadonlySet<unknown> = new Set([
  'account',
  'attention',
  'claim',
  'conflicts',
  'facets',
  'proposals',
  'timeline',
]);

/**
 * Keeps the open page up to date with what others state, while its tab is visible. The hub says that something changed, and
 * the queries load it: a lost event costs freshness and never truth.
 */
export function useLiveChanges(): void {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  useEffect(() => listenWhileVisible(hub, () => refresh(queries, workspace.id)), [hub, queries, workspace.id]);
}

/** Listens whenever the tab is visible: a browser has few connections for all tabs. @returns how to end it */
function listenWhileVisible(hub: Hub, onChange: () => void): () => void {
  let listening: AbortController | undefined;
  const update = () => {
    if (document.hidden) {
      listening?.abort();
      listening = undefined;
    } else {
      listening ??= startListening(hub, onChange);
    }
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    listening?.abort();
  };
}

function refresh(queries: QueryClient, workspaceId: string): void {
  const isLive = ({ queryKey: [scope, name] }: { queryKey: readonly unknown[] }) =>
    scope === workspaceId && LIVE_QUERIES.has(name);
  void queries.invalidateQueries({ queryKey: [workspaceId], refetchType: 'none' });
  void queries.refetchQueries({ type: 'active', predicate: isLive });
}

/** Listens until the returned controller is aborted. Calls `onChange` at most once in {@link REFRESH_MS}. */
function startListening(hub: Hub, onChange: () => void): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  let due: ReturnType<typeof setTimeout> | undefined;
  const note = () => {
    due ??= setTimeout(() => {
      due = undefined;
      onChange();
    }, REFRESH_MS);
  };
  signal.addEventListener('abort', () => clearTimeout(due));
  void listen(hub, signal, note);
  return controller;
}

async function listen(hub: Hub, signal: AbortSignal, onChange: () => void): Promise<void> {
  let after: string | undefined;
  for (let wait = START_MS; !signal.aborted; wait = RETRY_MS) {
    await pause(wait, signal);
    try {
      // Loaded now, so that it does not delay the page.
      const { EventSourceParserStream } = await import('eventsource-parser/stream');
      const { data } = await hub.GET('/v2/changes/stream', {
        signal,
        parseAs: 'stream',
        params: { query: { after } },
      });
      const body = data as ReadableStream<Uint8Array<ArrayBuffer>> | null;
      if (!body) continue;
      const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      const reader = events.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        after = read.value.id;
        if (read.value.event === 'changes') onChange();
      }
    } catch {
      // The hub is away, or refuses: the next attempt comes later, and the page goes on without.
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
