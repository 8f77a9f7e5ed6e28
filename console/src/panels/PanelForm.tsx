import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { HubError } from '../api/client.ts';
import type { FieldProblem } from '../api/fieldProblem.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { listFields, readFields } from '../integrations/schema.ts';
import { SchemaFields } from '../integrations/SchemaFields.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { panelWords } from '../words/panels.ts';
import type { FormData as PanelFormData } from './panelData.ts';

/** A path below `/v2/plugins`; one of the bundled plugins stands for all. */
type FormPath = '/v2/plugins/crm/sync';

/** The form of a panel, which is sent to the route of its path. */
export function PanelForm({ path, form, onSaved }: { path: string; form: PanelFormData; onSaved: () => void }) {
  const { hub } = useWorkspace();
  const tell = useToast();
  const mayWrite = useMay('write');
  const [typos, setTypos] = useState<readonly FieldProblem[]>([]);
  const fields = listFields(form.schema);
  const save = useMutation({
    mutationFn: (body: Record<string, never>) => hub.POST(path as FormPath, { body }),
    onSuccess: () => {
      tell({ text: panelWords.saved });
      onSaved();
    },
  });
  const problems = [...typos, ...(save.error instanceof HubError ? save.error.fields : [])];
  return (
    <form
      className="space-y-4"
      onSubmit={event => {
        event.preventDefault();
        const read = readFields(fields, new FormData(event.currentTarget), '', form.values);
        setTypos(read.problems);
        if (read.problems.length === 0) save.mutate(read.values);
      }}
    >
      <SchemaFields fields={fields} prefix="" values={form.values} problems={problems} provider={undefined} />
      {save.error && problems.length === 0 && <ProblemNote error={save.error} />}
      <Button type="submit" reason={mayWrite ? undefined : w.needs.write} disabled={save.isPending}>
        {panelWords.save}
      </Button>
    </form>
  );
}
