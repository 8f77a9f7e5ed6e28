import { useState } from 'react';
import { bodyOf, createHub } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { Card } from '../sign-in/Card.tsx';
import { useForm } from '../sign-in/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { approveWords } from '../words/approve.ts';
import { ProgramSummary } from './ProgramSummary.tsx';
import { describeLifetime, type EnteredKey } from './program.ts';

type Workspace = Schemas['ApprovingWorkspace'];

/** The decision: the workspace, the permissions, and Approve or Deny. */
export function DecisionForm({
  ticket,
  approval,
  enteredKey,
  onDecided,
}: {
  ticket: string;
  approval: Schemas['Approval'];
  /** Decides instead of the session. */
  enteredKey: EnteredKey | undefined;
  onDecided: (decided: Schemas['DecidedApproval']) => void;
}) {
  const { program, user, key_days, renewal_days } = approval;
  const workspaces = enteredKey ? [enteredKey.approver.workspace] : approval.workspaces;
  const [chosen, setChosen] = useState<Workspace | undefined>(workspaces.length === 1 ? workspaces[0] : undefined);
  const [now] = useState(() => Date.now());
  const form = useForm(async read => {
    const approver = enteredKey ? { api_key: enteredKey.text } : user && { user_id: user.id };
    const decided = bodyOf(
      await createHub().POST('/auth/approvals/decision', {
        body: {
          ticket,
          approve: read('decision') === 'approve',
          scopes: approval.scopes.map(({ scope }) => scope).filter(scope => read(scope) !== ''),
          ...(chosen && { workspace: chosen.id }),
          ...approver,
        },
      }),
    );
    onDecided(decided);
  });
  // A key that was revoked and a role that was taken have no field here, unless there are several workspaces.
  const refusals = ['scopes', 'api_key', ...(workspaces.length > 1 ? [] : ['workspace'])].map(form.problemOf);
  const lifetime = describeLifetime(key_days, enteredKey?.approver.expires_at ?? null, now);
  return (
    <Card
      title={chosen ? approveWords.title(program.name, chosen.name) : approveWords.chooseTitle(program.name)}
      text={approveWords.text(lifetime, renewal_days)}
    >
      <ProgramSummary program={program} />
      <form onSubmit={form.onSubmit} className="space-y-5">
        {workspaces.length > 1 && (
          <SelectField
            label={approveWords.workspace}
            name="workspace"
            required
            none={approveWords.choose}
            values={workspaces.map(({ id }) => id)}
            nameOf={each => workspaces.find(({ id }) => id === each)!.name}
            value={chosen?.id ?? ''}
            onChange={event => setChosen(workspaces.find(({ id }) => id === event.target.value))}
            problem={form.problemOf('workspace')}
          />
        )}
        <fieldset>
          <legend className="mb-1 font-medium">{approveWords.permissions}</legend>
          {approval.scopes.map(offered => (
            <ScopeChoice
              key={`${chosen?.id} ${offered.scope}`}
              {...offered}
              isHeld={chosen?.scopes.includes(offered.scope) ?? true}
            />
          ))}
        </fieldset>
        {refusals.map(
          refusal =>
            refusal !== undefined && (
              <p key={refusal} role="alert" className="text-xs text-against">
                {refusal}
              </p>
            ),
        )}
        {form.error && <ProblemNote error={form.error} />}
        <div className="flex gap-3">
          <Button
            type="submit"
            name="decision"
            value="approve"
            look="main"
            className="h-9 flex-1"
            disabled={form.isBusy}
          >
            {approveWords.approve}
          </Button>
          <Button
            type="submit"
            name="decision"
            value="deny"
            formNoValidate
            className="h-9 flex-1"
            disabled={form.isBusy}
          >
            {approveWords.deny}
          </Button>
        </div>
      </form>
      <p className="text-xs text-quiet">
        {enteredKey
          ? approveWords.asKey(enteredKey.approver.name, enteredKey.approver.prefix, enteredKey.approver.last_four)
          : user && approveWords.asPerson(user.name, user.email)}
      </p>
    </Card>
  );
}

function ScopeChoice({ scope, requested, preselected, isHeld }: Schemas['OfferedScope'] & { isHeld: boolean }) {
  const [label, description] = approveWords.scope[scope];
  return (
    <label className="flex gap-2.5 border-b border-line py-2 first-of-type:border-t max-md:min-h-11">
      <input
        type="checkbox"
        name={scope}
        value="yes"
        defaultChecked={preselected && isHeld}
        disabled={!isHeld}
        className="mt-0.5 size-4 shrink-0"
      />
      <span>
        {label}
        <span className="block text-xs text-quiet">
          {description} {!requested && approveWords.notRequested} {!isHeld && approveWords.notHeld}
        </span>
      </span>
    </label>
  );
}
