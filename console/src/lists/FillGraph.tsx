import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../api/workspace.tsx';
import { useMay } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { LoadSampleData } from '../sample-data/LoadSampleData.tsx';
import { w } from '../words/en.ts';

/** Fills an empty list with the first person or company, by the same call that programs use. */
export function FillGraph({ of = 'people' }: { of?: 'people' | 'companies' }) {
  const words = w.fill[of];
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const mayWrite = useMay('write');
  const [problem, setProblem] = useState<Error>();
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const observations = (['name', of === 'people' ? 'title' : 'industry'] as const)
      .filter(property => text(property) !== '')
      .map(property => ({ kind: 'state' as const, property, value: text(property) }));
    try {
      await hub.POST('/v2/observations', { body: { focus: text('focus'), observations } });
      await queries.invalidateQueries({ queryKey: [workspace.id] });
    } catch (error) {
      setProblem(error as Error);
    }
  }
  return (
    <EmptyState title={words.title} text={words.text}>
      <form onSubmit={event => void submit(event)} className="mx-auto max-w-sm space-y-3 text-left">
        <Field
          label={words.focus}
          name="focus"
          type={of === 'people' ? 'email' : 'text'}
          required
          placeholder={words.focusExample}
        />
        <Field label={w.fill.name} name="name" required placeholder={words.nameExample} />
        <Field label={words.second} name={of === 'people' ? 'title' : 'industry'} placeholder={words.secondExample} />
        {problem && <ProblemNote error={problem} />}
        <Button type="submit" look="main" className="w-full" reason={mayWrite ? undefined : w.needs.write}>
          {w.fill.submit}
        </Button>
      </form>
      <div className="mx-auto mt-6 max-w-sm space-y-3 border-t border-line pt-5">
        <p className="text-quiet">{w.sample.offer}</p>
        <LoadSampleData />
      </div>
    </EmptyState>
  );
}
