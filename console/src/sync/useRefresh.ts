import { useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '../api/workspace.tsx';
import { useSync } from './SyncContext.ts';

/** Returns what reads everything about the sync again. */
export function useRefresh(): () => Promise<void> {
  const { workspace } = useWorkspace();
  const { plugin } = useSync();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [workspace.id, 'sync', plugin] });
}
