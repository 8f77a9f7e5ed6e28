import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';
import { exactTime } from '../words/when.ts';
import { SettingsHeader } from './SettingsHeader.tsx';
import { Table } from '../ui/Table.tsx';

type Settings = Schemas['TrustSettings'];
type Row = Schemas['TrustRow'];

const REFRESH_MS = 2_000;

/** How far each source is trusted, and what would change if it were trusted otherwise. */
export function TrustPage() {
  const { hub, workspace } = useWorkspace();
  const trust = useQuery({
    queryKey: [workspace.id, 'trust'],
    queryFn: async ({ signal }) => bodyOf(await hub.GET('/v2/workspace/trust', { signal })),
    refetchInterval: ({ state }) => (state.data?.rebuild?.finished_at === null ? REFRESH_MS : false),
  });
  return (
    <>
      <SettingsHeader title={settingsWords.trust} text={settingsWords.trustText} />
      {trust.isPending && <Skeleton rows={8} height={44} />}
      {trust.error && <ProblemNote error={trust.error} onRetry={() => void trust.refetch()} />}
      {trust.data && <Editor key={trust.data.trust_version} settings={trust.data} />}
    </>
  );
}

function Editor({ settings }: { settings: Settings }) {
  const { hub, workspace } = useWorkspace();
  const maySet = useMay('settings');
  const queries = useQueryClient();
  const tell = useToast();
  const [changed, setChanged] = useState<ReadonlyMap<string, number>>(new Map());
  const body = (dry: boolean): Schemas['ChangeTrustRequest'] => ({
    trust: withChanges(settings, changed),
    expected_version: settings.version,
    dry_run: dry,
  });
  const preview = useMutation({
    mutationFn: async () => bodyOf(await hub.POST('/v2/workspace/trust', { body: body(true) })).sample,
  });
  const save = useMutation({
    mutationFn: () => hub.POST('/v2/workspace/trust', { body: body(false) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      tell({ text: settingsWords.trustSaved });
    },
  });
  const reason = maySet ? undefined : w.needs.settings;
  const own = new Set(settings.own.map(({ match }) => match));
  const isBusy = preview.isPending || save.isPending;
  function change(match: string, r: number) {
    setChanged(before => new Map(before).set(match, r));
    preview.reset();
  }
  return (
    <div className="space-y-4">
      <p className="text-quiet">
        {settingsWords.trustVersion(settings.trust_version)}
        {settings.created_at !== null && ` · ${exactTime(settings.created_at)}`}
        {settings.rebuild?.finished_at === null && ` · ${settingsWords.rebuilding}`}
      </p>
      <div className="sticky top-0 z-10 flex flex-wrap items-center justify-end gap-3 bg-paper py-2">
        {preview.data && (
          <p role="status" className="mr-auto">
            {settingsWords.wouldChange(preview.data)}
          </p>
        )}
        <Button reason={reason} disabled={changed.size === 0 || isBusy} onClick={() => preview.mutate()}>
          {settingsWords.whatIf}
        </Button>
        <Button look="main" reason={reason} disabled={changed.size === 0 || isBusy} onClick={() => save.mutate()}>
          {settingsWords.trustSave}
        </Button>
      </div>
      {(preview.error ?? save.error) && <ProblemNote error={(preview.error ?? save.error)!} />}
      <Table
        label={settingsWords.trust}
        head={[settingsWords.source, settingsWords.reliability, settingsWords.statesAs, settingsWords.setBy]}
      >
        {settings.trust.map(row => (
          <TrustRow
            key={row.match}
            row={row}
            value={changed.get(row.match) ?? row.r}
            isOwn={own.has(row.match) || changed.has(row.match)}
            isLocked={!maySet}
            onChange={r => change(row.match, r)}
          />
        ))}
      </Table>
    </div>
  );
}

function TrustRow({
  row: { match, r, class: evidence },
  value,
  isOwn,
  isLocked,
  onChange,
}: {
  row: Row;
  value: number;
  isOwn: boolean;
  isLocked: boolean;
  onChange: (r: number) => void;
}) {
  return (
    <tr>
      <td className="num">{match}</td>
      <td>
        <span className="flex items-center gap-3">
          <input
            type="range"
            aria-label={`${settingsWords.reliability}: ${match}`}
            min={0.05}
            max={0.99}
            step={0.01}
            value={value}
            disabled={isLocked}
            onChange={event => onChange(Number(event.target.value))}
            className="h-6 w-40"
          />
          <span className={cn('num', value !== r && 'font-semibold text-accent')}>{value.toFixed(2)}</span>
        </span>
      </td>
      <td className="text-quiet">{w.class[evidence]}</td>
      <td className="text-quiet">{isOwn ? settingsWords.setByYou : settingsWords.setByDefault}</td>
    </tr>
  );
}

/** Returns the rows of the workspace with changed reliabilities; a row of the defaults becomes one of its own. */
function withChanges({ trust, own }: Settings, changed: ReadonlyMap<string, number>): Row[] {
  const kept = own.filter(({ match }) => !changed.has(match));
  const added = trust.flatMap(row => {
    const r = changed.get(row.match);
    return r === undefined ? [] : [{ ...row, r }];
  });
  return [...kept, ...added];
}
