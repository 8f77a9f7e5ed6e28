import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { bodyOf } from '../api/client.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { useForm } from '../sign-in/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { workspaceWords as words } from '../words/workspace.ts';
import { currentUser } from './currentUser.ts';

/** Creates a workspace, and opens it. */
export default function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const { hub } = useWorkspace();
  const queries = useQueryClient();
  const go = useNavigate();
  const form = useForm(async read => {
    const { workspace } = bodyOf(await hub.POST('/v2/workspaces', { body: { name: read('name').trim() } }));
    await queries.invalidateQueries({ queryKey: currentUser.queryKey });
    onClose();
    await go({ to: '/w/$workspace/attention', params: { workspace: workspace.id } });
  });
  return (
    <Dialog
      label={words.createTitle}
      titled
      onClose={onClose}
      className="m-auto w-[min(420px,calc(100vw-24px))] rounded-md border"
    >
      <form onSubmit={form.onSubmit} className="space-y-4 p-5">
        <p className="text-quiet">{words.createText}</p>
        <Field label={words.name} name="name" required maxLength={200} problem={form.problemOf('name')} />
        {form.error && <ProblemNote error={form.error} />}
        <Button type="submit" look="main" disabled={form.isBusy}>
          {words.createSubmit}
        </Button>
      </form>
    </Dialog>
  );
}
