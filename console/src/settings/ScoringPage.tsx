import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { w } from '../words/en.ts';
import { settingsWords } from '../words/settings.ts';
import { SettingsHeader } from './SettingsHeader.tsx';

const TYPING_MS = 700;
const TIERS = ['tier_1', 'tier_2', 'tier_3', 'not_icp', 'unknown'] as const;

/** The ideal customer in plain words, the rules that were read from it, and how they classify the leads of today. */
export function ScoringPage() {
  const { hub, workspace } = useWorkspace();
  const maySet = useMay('settings');
  const section = useQuery({
    queryKey: [workspace.id, 'icp'],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/workspace/facts', { signal, params: { query: { section: 'icp' } } })),
  });
  return (
    <>
      <SettingsHeader title={settingsWords.scoring} text={settingsWords.scoringText} />
      {section.isPending && <Skeleton rows={6} />}
      {section.error && <ProblemNote error={section.error} onRetry={() => void section.refetch()} />}
      {section.data && <Editor description={readDescription(section.data.sections)} isLocked={!maySet} />}
    </>
  );
}

/** Returns the words of the section `icp`, which is prose or a model with a description. */
function readDescription(sections: unknown): string {
  const icp = (sections as { icp?: { content?: unknown } }).icp?.content;
  if (typeof icp === 'string') return icp;
  const description = (icp as { description?: unknown } | undefined)?.description;
  return typeof description === 'string' ? description : '';
}

function Editor({ description, isLocked }: { description: string; isLocked: boolean }) {
  const { hub, workspace } = useWorkspace();
  const queries = useQueryClient();
  const tell = useToast();
  const [typed, setTyped] = useState(description);
  const [settled, setSettled] = useState(description);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const preview = useQuery({
    queryKey: [workspace.id, 'icp preview', settled],
    enabled: settled !== '' && !isLocked,
    queryFn: async ({ signal }) =>
      bodyOf(
        await hub.POST('/v2/workspace/scoring-model', {
          signal,
          body: { description: settled, force: true, dry_run: true },
        }),
      ),
  });
  const save = useMutation({
    mutationFn: () => hub.POST('/v2/workspace/scoring-model', { body: { description: typed.trim(), force: true } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [workspace.id] });
      tell({ text: settingsWords.scoringSaved });
    },
  });
  const reason = isLocked ? w.needs.settings : undefined;
  const isRefused = preview.error instanceof HubError;
  return (
    <div className="space-y-6">
      <form
        className="space-y-3"
        onSubmit={event => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <label className="block space-y-1">
          <span className="font-medium">{settingsWords.icp}</span>
          <textarea
            value={typed}
            onChange={event => setTyped(event.target.value)}
            rows={5}
            required
            readOnly={isLocked}
            placeholder={settingsWords.icpExample}
            className="field h-auto py-2"
          />
        </label>
        <div className="flex justify-end">
          <Button
            type="submit"
            look="main"
            reason={reason}
            disabled={save.isPending || isRefused || typed.trim() === description}
          >
            {settingsWords.scoringSave}
          </Button>
        </div>
        {save.error && <ProblemNote error={save.error} />}
      </form>
      {preview.error && <ProblemNote error={preview.error} />}
      {preview.data && <Preview result={preview.data} />}
    </div>
  );
}

/** The rules that were read, and what they make of the leads. */
function Preview({ result: { signals, warnings, coverage_on_current_leads } }: { result: Schemas['IcpModelResult'] }) {
  const { leads, scored, average_coverage, tiers } = coverage_on_current_leads;
  return (
    <div className="space-y-6" aria-live="polite">
      {warnings.map(warning => (
        <p key={warning} className="rounded-md bg-against-soft px-3 py-2 text-against">
          {warning}
        </p>
      ))}
      <section className="space-y-2">
        <h2 className="font-semibold">{settingsWords.rules}</h2>
        <ul className="rounded-md border border-line">
          {signals.map(({ key, label, weight, quote }) => (
            <li key={key} className="flex items-baseline gap-4 border-b border-line px-4 py-2 last:border-b-0">
              <span className="min-w-0 flex-1 break-words">
                {label}
                {quote && <q className="block text-quiet">{quote}</q>}
              </span>
              <span className="num text-quiet">
                {weight === null ? settingsWords.excludes : settingsWords.weight(weight)}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <section className="space-y-2">
        <h2 className="font-semibold">{settingsWords.leadsToday}</h2>
        <p className="text-quiet">{settingsWords.coverage(scored, leads, average_coverage)}</p>
        <dl className="space-y-2">
          {TIERS.map(tier => (
            <div key={tier} className="grid grid-cols-[120px_minmax(0,1fr)_auto] items-center gap-4">
              <dt>{settingsWords.tier[tier]}</dt>
              <dd className="h-2 overflow-hidden rounded-full bg-bar-empty" aria-hidden="true">
                <i
                  className="block h-full bg-accent"
                  style={{ width: `${leads === 0 ? 0 : (tiers[tier] / leads) * 100}%` }}
                />
              </dd>
              <dd className="num">{tiers[tier]}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
