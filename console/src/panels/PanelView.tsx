import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { cn } from '../ui/cn.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { panelWords } from '../words/panels.ts';
import { PanelForm } from './PanelForm.tsx';
import { PanelTable } from './PanelTable.tsx';
import { type BadgeData, type PanelData, readPanelData } from './panelData.ts';

/** A path below `/v2/plugins`. The document of the API types those of the bundled plugins only; one of them stands for all. */
type PanelPath = '/v2/plugins/calcom/bookings';

/** Draws a panel of a plugin from its data. */
export function PanelView({
  panel,
  focus,
  hasTitle = true,
}: {
  panel: Schemas['IntegrationPanel'];
  /** ID of the person that it is about. */
  focus?: string;
  /** Whether its title stands above it. Defaults to true. */
  hasTitle?: boolean;
}) {
  const { hub, workspace } = useWorkspace();
  const { path, title } = panel;
  const queryKey = [workspace.id, 'panel', path, focus];
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<PanelData | null> => {
      const query = (focus === undefined ? {} : { focus }) as { focus: string };
      const answer = bodyOf(await hub.GET(path as PanelPath, { signal, params: { query } }));
      return readPanelData(answer) ?? null;
    },
  });
  return (
    <div role="group" aria-label={title} className="space-y-2">
      {hasTitle && <h3 className="font-semibold">{title}</h3>}
      {isPending && <Skeleton rows={1} height={32} />}
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === null && <p className="text-against">{panelWords.invalid}</p>}
      {data?.kind === 'badge' && <Badge badge={data} />}
      {data?.kind === 'table' && <PanelTable title={title} table={data} />}
      {data?.kind === 'form' && <PanelForm path={path} form={data} onSaved={() => void refetch()} />}
    </div>
  );
}

const TONES = {
  good: 'border-for/40 text-for',
  warn: 'border-against/40 text-against',
  bad: 'border-against bg-against-soft text-against',
  neutral: 'border-line text-quiet',
} as const;

function Badge({ badge: { tone, label, detail } }: { badge: BadgeData }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <span className={cn('rounded-full border px-2 py-0.5 text-xs whitespace-nowrap', TONES[tone])}>{label}</span>
      {detail !== undefined && <span className="text-quiet">{detail}</span>}
    </p>
  );
}
