import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Card } from '../sign-in/Card.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import { currentUser } from './currentUser.ts';

/** Leads to the first workspace of the person who is signed in. */
export function HomePage() {
  const me = useQuery(currentUser);
  if (me.isPending) return <Skeleton rows={1} />;
  if (me.error) {
    return (
      <Card title={w.problem.title}>
        <ProblemNote error={me.error} onRetry={() => void me.refetch()} />
      </Card>
    );
  }
  const [first] = me.data.workspaces;
  if (!first) return <Card title={w.noWorkspace.none} text={w.noWorkspace.noneText} />;
  return <Navigate to="/w/$workspace/attention" params={{ workspace: first.id }} replace />;
}
