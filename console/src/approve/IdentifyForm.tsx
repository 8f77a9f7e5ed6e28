import { bodyOf, createHub } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { Card } from '../sign-in/Card.tsx';
import { SubmitRow } from '../sign-in/fields.tsx';
import { useForm } from '../sign-in/useForm.ts';
import { Field } from '../ui/Field.tsx';
import { approveWords } from '../words/approve.ts';
import type { EnteredKey } from './program.ts';
import { ProgramSummary } from './ProgramSummary.tsx';

/** The first step of somebody who is not signed in, or may not approve programs: their account, or an API key. */
export function IdentifyForm({
  ticket,
  approval: { program, scopes, user },
  onKey,
  onDecided,
}: {
  ticket: string;
  approval: Schemas['Approval'];
  onKey: (key: EnteredKey) => void;
  onDecided: (decided: Schemas['DecidedApproval']) => void;
}) {
  const byKey = useForm(async read => {
    const text = read('api_key').trim();
    const body = { ticket, api_key: text };
    onKey({ text, approver: bodyOf(await createHub().POST('/auth/approvals/key', { body })) });
  });
  const deny = useForm(async () => {
    onDecided(bodyOf(await createHub().POST('/auth/approvals/decision', { body: { ticket, approve: false } })));
  });
  const requested = scopes.filter(each => each.requested);
  const labels = requested.map(({ scope }) => approveWords.scope[scope][0].toLowerCase()).join(', ');
  const here = location.pathname + location.search;
  return (
    <Card title={approveWords.requests(program.name)} text={approveWords.requestsText(labels)}>
      <ProgramSummary program={program} />
      {user ? (
        <p className="text-quiet">{approveWords.mayNot(user.name, user.email)}</p>
      ) : (
        <a
          href={`/sign-in?to=${encodeURIComponent(here)}`}
          className="soft inline-flex h-9 w-full items-center justify-center rounded-md border border-accent bg-accent font-medium text-on-accent max-md:h-11"
        >
          {approveWords.signInByAccount}
        </a>
      )}
      <details className="space-y-4">
        <summary className="cursor-pointer text-quiet max-md:py-3">{approveWords.byKey}</summary>
        <form onSubmit={byKey.onSubmit} className="space-y-4">
          <Field
            label={approveWords.key}
            name="api_key"
            type="password"
            autoComplete="off"
            required
            hint={approveWords.keyHint}
            problem={byKey.problemOf('api_key')}
          />
          <SubmitRow form={byKey} label={approveWords.next} look="plain" />
        </form>
      </details>
      <form onSubmit={deny.onSubmit}>
        <SubmitRow form={deny} label={approveWords.deny} look="plain" />
      </form>
    </Card>
  );
}
