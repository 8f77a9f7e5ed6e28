import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { saveFile } from '../ui/saveFile.ts';
import { SelectField } from '../ui/SelectField.tsx';
import { settingsWords } from '../words/settings.ts';
import { toLabel } from '../words/en.ts';
import { type AuditSearch, toAuditQuery } from './auditSearch.ts';

const KINDS = ['key', 'person', 'oauth', 'operator'] as const;
/** Types of objects that are acted on. */
const TYPES = [
  'api_key',
  'entity',
  'integration',
  'lead_list',
  'member',
  'observation',
  'person',
  'retention',
  'run',
  'scoring_model',
  'section',
  'session',
  'sign_in',
  'triggers',
  'trust',
  'view',
  'workspace',
] as const;

/** Narrows the audit log by who acted, what was acted on, and when; and saves what is left as a file. */
export function AuditFilter({
  search,
  members,
}: {
  search: AuditSearch;
  /** Members of the workspace, who can be chosen by name. */
  members: readonly Schemas['Member'][];
}) {
  const { hub, workspace } = useWorkspace();
  const go = useNavigate();
  const set = (change: AuditSearch) =>
    void go({
      to: '/w/$workspace/settings/audit',
      params: { workspace: workspace.id },
      search: before => ({ ...before, ...change }),
      replace: true,
    });
  const save = useMutation({
    mutationFn: async () => {
      const params = { query: { ...toAuditQuery(search), format: 'csv' as const } };
      const answer = await hub.GET('/v2/workspace/audit', { params, parseAs: 'blob' });
      saveFile(bodyOf(answer) as unknown as Blob, 'audit-log.csv');
    },
  });
  const people = new Map(members.map(({ user_id, name }) => [`person:${user_id}`, name]));
  const actorNames: Readonly<Record<string, string>> = settingsWords.actorKind;
  return (
    <div className="mb-4 space-y-3">
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-44">
          <SelectField
            label={settingsWords.actor}
            values={[...KINDS, ...people.keys()]}
            nameOf={actor => people.get(actor) ?? actorNames[actor] ?? actor}
            none={settingsWords.anyActor}
            value={search.actor ?? ''}
            onChange={event => set({ actor: event.target.value || undefined })}
          />
        </div>
        <div className="w-44">
          <SelectField
            label={settingsWords.object}
            values={TYPES}
            nameOf={toLabel}
            none={settingsWords.anyObject}
            value={search.action ?? ''}
            onChange={event => set({ action: event.target.value || undefined })}
          />
        </div>
        <div className="w-40">
          <Field
            label={settingsWords.from}
            type="date"
            value={search.since ?? ''}
            onChange={event => set({ since: event.target.value || undefined })}
          />
        </div>
        <div className="w-40">
          <Field
            label={settingsWords.to}
            type="date"
            value={search.until ?? ''}
            onChange={event => set({ until: event.target.value || undefined })}
          />
        </div>
        <Button className="h-9" disabled={save.isPending} onClick={() => save.mutate()}>
          <Download className="size-3.5" aria-hidden="true" />
          {settingsWords.exportAudit}
        </Button>
      </div>
      {save.error && <ProblemNote error={save.error} />}
    </div>
  );
}
