import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { ago } from '../words/when.ts';
import { workspaceWords as words } from '../words/workspace.ts';

type Settings = Schemas['RetentionSettings'];

/** Kinds of data that are kept for ever unless a number of days is set. */
const KEPT: ReadonlySet<string> = new Set(['raw_payloads', 'notes', 'page_visits']);

/** How long each kind of data is kept, and what the last nightly run removed. The settings load when they are opened. */
export function Retention({ lastRun }: { lastRun: Settings['last_run'] }) {
  const { hub, workspace } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const settings = useQuery({
    queryKey: [workspace.id, 'retention'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/retention', { signal })),
    enabled: isOpen,
  });
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{words.retention}</h2>
      <p className="text-quiet">
        {words.retentionText} {describeRun(lastRun)}
      </p>
      {!isOpen && <Button onClick={() => setOpen(true)}>{words.openRetention}</Button>}
      {settings.isLoading && <Skeleton rows={3} />}
      {settings.error && <ProblemNote error={settings.error} onRetry={() => void settings.refetch()} />}
      {isOpen && settings.data && <RetentionForm settings={settings.data} />}
    </section>
  );
}

function describeRun(run: Settings['last_run']): string {
  if (!run) return words.neverRan;
  if (run.finished_at === null) return words.running(ago(run.started_at));
  const removed = Object.values(run.removed).reduce((sum, each) => sum + each, 0);
  return words.lastRun(ago(run.finished_at), removed);
}

function RetentionForm({ settings: { days } }: { settings: Settings }) {
  const { hub, workspace } = useWorkspace();
  const mayAdmin = useMay('admin');
  const queries = useQueryClient();
  const tell = useToast();
  const save = useMutation({
    mutationFn: async (body: Schemas['ChangeRetention']) =>
      bodyOf(await hub.PATCH('/v2/workspace/retention', { body })),
    onSuccess: saved => {
      queries.setQueryData([workspace.id, 'retention'], saved);
      tell({ text: words.retentionSaved });
    },
  });
  const problems = save.error instanceof HubError ? save.error.fields : [];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = [...new FormData(event.currentTarget)].map(
      ([kind, value]) => [kind, String(value).trim()] as const,
    );
    save.mutate(Object.fromEntries(entered.map(([kind, text]) => [kind, text === '' ? null : Number(text)])));
  };
  return (
    <form onSubmit={submit} className="grid max-w-2xl gap-4 sm:grid-cols-2">
      {Object.entries(days).map(([kind, kept]) => (
        <Field
          key={kind}
          label={words.kind[kind] ?? kind}
          name={kind}
          type="number"
          min={1}
          max={3650}
          required={!KEPT.has(kind)}
          defaultValue={kept ?? ''}
          placeholder={KEPT.has(kind) ? words.forever : words.days}
          problem={problems.find(({ field }) => field === kind)?.message}
        />
      ))}
      <div className="space-y-2 sm:col-span-2">
        {save.error && problems.length === 0 && <ProblemNote error={save.error} />}
        <Button type="submit" reason={mayAdmin ? undefined : w.needs.admin} disabled={save.isPending}>
          {words.saveRetention}
        </Button>
      </div>
    </form>
  );
}
