import { useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '../api/workspace.tsx';

/** Names the queries of previews of a merge, after the workspace. */
export const MERGE_PREVIEW = 'merge preview';

/** Returns what reads the workspace again after two accounts were merged or parted. */
export function useMergeRefresh(): () => Promise<void> {
  const { workspace } = useWorkspace();
  const queries = useQueryClient();
  return async () => {
    // A pair that was merged is shown until the page is drawn again, and can no longer be previewed.
    const isPreview = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] === MERGE_PREVIEW;
    await queries.invalidateQueries({ queryKey: [workspace.id], predicate: query => !isPreview(query) });
    queries.removeQueries({ queryKey: [workspace.id, MERGE_PREVIEW] });
  };
}
