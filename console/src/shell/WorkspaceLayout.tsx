import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { WorkspaceProvider } from '../api/workspace.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import { Shell } from './Shell.tsx';
import { currentUser } from './currentUser.ts';

const route = getRouteApi('/w/$workspace');

/** Opens the workspace of the address for the person who is signed in. */
export function WorkspaceLayout() {
  const { workspace: id } = route.useParams();
  const me = useQuery(currentUser);
  if (me.isPending) return <Skeleton rows={1} />;
  if (me.error) {
    return (
      <div className="mx-auto max-w-xl p-6">
        <ProblemNote error={me.error} onRetry={() => void me.refetch()} />
      </div>
    );
  }
  const workspace = me.data.workspaces.find(each => each.id === id);
  if (!workspace) {
    return (
      <main>
        <EmptyState level={1} title={w.noWorkspace.title} text={w.noWorkspace.text}>
          <Link to="/" className="font-medium text-accent underline underline-offset-2">
            {w.noWorkspace.home}
          </Link>
        </EmptyState>
      </main>
    );
  }
  return (
    <WorkspaceProvider key={workspace.id} current={me.data} workspace={workspace}>
      <Shell />
    </WorkspaceProvider>
  );
}
