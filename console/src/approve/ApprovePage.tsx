import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf, createHub, HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { Card } from '../sign-in/Card.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { approveWords } from '../words/approve.ts';
import { w } from '../words/en.ts';
import { CodeForm } from './CodeForm.tsx';
import { DecisionForm } from './DecisionForm.tsx';
import { IdentifyForm } from './IdentifyForm.tsx';
import type { EnteredKey } from './program.ts';

const route = getRouteApi('/approve');

/** Approves or denies a program that requests an API key, by the session of an owner or admin, or by an API key. */
export function ApprovePage() {
  const { ticket, user_code } = route.useSearch();
  const code = ticket ?? user_code;
  return code === undefined ? <CodeForm /> : <Request key={code} ticket={code} />;
}

function Request({ ticket }: { ticket: string }) {
  const [key, setKey] = useState<EnteredKey>();
  const [decided, setDecided] = useState<Schemas['DecidedApproval']>();
  const opened = useQuery({
    queryKey: ['approval', ticket],
    queryFn: async () => bodyOf(await createHub().GET('/auth/approvals', { params: { query: { ticket } } })),
    // What a decision changes is not read again, and the request of one code never stands for another one.
    staleTime: Infinity,
    placeholderData: undefined,
    retry: false,
  });
  if (opened.isPending) return <Skeleton rows={1} />;
  if (opened.error) return <Refused ticket={ticket} error={opened.error} onRetry={() => void opened.refetch()} />;
  const { program, workspaces } = opened.data;
  if (decided) return <Decided program={program.name} decided={decided} />;
  const form = {
    ticket,
    approval: opened.data,
    onDecided: (outcome: Schemas['DecidedApproval']) => {
      setDecided(outcome);
      if (outcome.redirect_to !== null) location.assign(outcome.redirect_to);
    },
  };
  return key !== undefined || workspaces.length > 0 ? (
    <DecisionForm {...form} enteredKey={key} />
  ) : (
    <IdentifyForm {...form} onKey={setKey} />
  );
}

function Refused({ ticket, error, onRetry }: { ticket: string; error: Error; onRetry: () => void }) {
  if (error instanceof HubError && error.status === 404)
    return <CodeForm key={ticket} entered={ticket} problem={error.message} />;
  const isExpired = error instanceof HubError && error.status === 410;
  return (
    <Card title={isExpired ? approveWords.expired : w.problem.title} text={isExpired ? error.message : undefined}>
      {!isExpired && <ProblemNote error={error} onRetry={onRetry} />}
    </Card>
  );
}

function Decided({ program, decided }: { program: string; decided: Schemas['DecidedApproval'] }) {
  const { approved, redirect_to } = decided;
  const text = approved ? approveWords.approvedText : approveWords.deniedText;
  return (
    <Card
      title={approved ? approveWords.approved(program) : approveWords.denied(program)}
      text={<span role="status">{redirect_to === null ? text : approveWords.leading}</span>}
    >
      {redirect_to !== null && (
        <a href={redirect_to} className="font-medium text-accent underline underline-offset-2">
          {approveWords.goBack(program)}
        </a>
      )}
    </Card>
  );
}
