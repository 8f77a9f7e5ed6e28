import { useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '../api/workspace.tsx';

/** Returns what reads the integrations again. */
export function useRefresh(): () => Promise<void> {
  const { workspace } = useWorkspace();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [workspace.id, 'integrations'] });
}
