import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { HubError } from '../api/client.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { w } from '../words/en.ts';
import { signInWords } from '../words/signIn.ts';
import { Card } from './Card.tsx';

/**
 * A page that works by a secret in its address: it asks the hub what the secret opens, and says so if it opens nothing.
 * @param name name of the page in stored queries
 */
export function SecretPage<Opened>({
  name,
  secret,
  load,
  children,
}: {
  name: string;
  secret: string;
  load: () => Promise<Opened>;
  children: (opened: Opened) => ReactNode;
}) {
  const opened = useQuery({ queryKey: [name, secret], queryFn: load, retry: false });
  if (opened.data !== undefined) return children(opened.data);
  if (opened.isPending) return <Skeleton rows={1} />;
  const isGone = opened.error instanceof HubError && opened.error.status === 404;
  return (
    <Card title={isGone ? signInWords.secret.gone : w.problem.title} text={isGone ? opened.error?.message : undefined}>
      {!isGone && opened.error && <ProblemNote error={opened.error} onRetry={() => void opened.refetch()} />}
      <Link to="/sign-in" className="font-medium text-accent underline underline-offset-2">
        {signInWords.secret.signIn}
      </Link>
    </Card>
  );
}
