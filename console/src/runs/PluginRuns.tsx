import { useQuery, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { runWords } from '../words/runs.ts';
import { ago } from '../words/when.ts';
import { RunNote } from './RunNote.tsx';
import { isUnfinished, type Run } from './types.ts';

const MAX_RUNS = 3;
const REFRESH_MS = 1_500;

/** The latest long work of an integration, whatever plugin it is: how far it is, and what can be done with it. */
export function PluginRuns({ plugin }: { plugin: string }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const queryKey = [workspace.id, 'runs', plugin];
  const { data: runs = [] } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      bodyOf(
        await hub.GET('/v2/plugins/{plugin}/runs', {
          signal,
          params: { path: { plugin }, query: { limit: MAX_RUNS } },
        }),
      ).runs,
    refetchInterval: ({ state }) => (state.data?.some(isUnfinished) ? REFRESH_MS : false),
  });
  if (runs.length === 0) return null;
  return (
    <section aria-label={runWords.title} className="space-y-2">
      {runs.map(run => (
        <RunNote
          key={run.id}
          run={run}
          title={describe(run)}
          onChanged={() => queries.invalidateQueries({ queryKey })}
        />
      ))}
    </section>
  );
}

function describe({ title, status, finished_at }: Run): string {
  const state = runWords.status[status];
  return finished_at === null ? `${title} ${state}` : `${title} ${state}, ${ago(finished_at)}`;
}
