import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { currentUser } from '../shell/currentUser.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { workspaceWords as words } from '../words/workspace.ts';

type Profile = Schemas['StatusProfile'];
type Change = Schemas['OnboardingRequest'];

/** What the workspace says of itself, its name first. What is left empty stays as it was. */
export function WorkspaceProfile({ profile }: { profile: Profile }) {
  const { hub, workspace } = useWorkspace();
  const maySet = useMay('settings');
  const queries = useQueryClient();
  const tell = useToast();
  const save = useMutation({
    mutationFn: (change: Change) => hub.POST('/v2/workspace/onboarding', { body: change }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [workspace.id, 'status'] });
      await queries.invalidateQueries({ queryKey: currentUser.queryKey });
      tell({ text: words.saved });
    },
  });
  const problems = save.error instanceof HubError ? save.error.fields : [];
  const problemOf = (name: string) => problems.find(({ field }) => field === name)?.message;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const entered = [...form].map(([name, value]) => [name, String(value).trim()] as const);
    save.mutate(Object.fromEntries(entered.filter(([, value]) => value !== '')));
  };
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{words.profile}</h2>
      <p className="text-quiet">{words.profileText}</p>
      <form onSubmit={submit} className="grid max-w-2xl gap-4 sm:grid-cols-2">
        <Field
          label={words.name}
          name="name"
          required
          maxLength={200}
          defaultValue={workspace.name}
          problem={problemOf('name')}
        />
        <Field
          label={words.website}
          name="website"
          inputMode="url"
          maxLength={300}
          defaultValue={profile.website ?? ''}
          hint={words.websiteHint}
          problem={problemOf('website')}
        />
        <SelectField
          label={words.businessType}
          name="business_type"
          defaultValue={profile.business_type ?? ''}
          values={Object.keys(words.business)}
          nameOf={each => words.business[each]!}
          none={profile.business_type === null ? words.notSaid : undefined}
        />
        <SelectField
          label={words.planModel}
          name="plan_model"
          defaultValue={profile.plan_model ?? ''}
          values={Object.keys(words.plans)}
          nameOf={each => words.plans[each]!}
          none={profile.plan_model === null ? words.notSaid : undefined}
        />
        <Field
          label={words.signupStage}
          name="default_signup_stage"
          maxLength={80}
          defaultValue={profile.default_signup_stage ?? ''}
          problem={problemOf('default_signup_stage')}
        />
        <div className="space-y-2 sm:col-span-2">
          {save.error && problems.length === 0 && <ProblemNote error={save.error} />}
          <Button type="submit" reason={maySet ? undefined : w.needs.settings} disabled={save.isPending}>
            {words.save}
          </Button>
        </div>
      </form>
    </section>
  );
}
