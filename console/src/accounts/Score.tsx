import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Unknown } from '../knowledge/marks.tsx';
import { Disclosure } from '../ui/Disclosure.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Strip } from '../ui/Strip.tsx';
import { accountWords as words } from '../words/account.ts';
import { toLabel, w } from '../words/en.ts';
import { day } from '../words/when.ts';

const LAYERS = ['fit', 'pain', 'intent', 'ability'] as const;

type Result = Schemas['ScoreResult'];

/** How a person scores as a lead, why, and what to find out next. It is computed when somebody opens it, and not recorded. */
export function Score({ id, recorded }: { id: string; recorded: Schemas['AccountScore'] | null | undefined }) {
  return (
    <section aria-label={words.score} className="px-5 pt-6">
      <Disclosure title={words.score}>
        <div className="space-y-4 pb-3">
          <Computed id={id} />
          {recorded && recorded.history.length > 0 && <History recorded={recorded} />}
        </div>
      </Disclosure>
    </section>
  );
}

function Computed({ id }: { id: string }) {
  const { hub, workspace } = useWorkspace();
  const score = useQuery({
    queryKey: [workspace.id, 'score', id],
    queryFn: async ({ signal }) =>
      bodyOf(await hub.POST('/v2/score', { signal, body: { identifier: id, dry_run: true, explain: true } })) as Result,
  });
  if (score.isPending) return <Skeleton rows={4} height={28} />;
  if (score.error) return <ProblemNote error={score.error} onRetry={() => void score.refetch()} />;
  const { layers, missing, play, priority, suppressed_by: rules } = score.data;
  if (!layers) return <p className="text-quiet">{words.noModel}</p>;
  return (
    <>
      <p>
        <span className="font-medium">{play && toLabel(play)}</span>
        {priority != null && <span className="num ml-2 text-quiet">{words.priority(priority)}</span>}
      </p>
      {rules?.map(({ rule, text }) => (
        <p key={rule} className="text-against">
          {text}
        </p>
      ))}
      <dl className="grid grid-cols-[72px_1fr] gap-x-4 gap-y-2">
        {LAYERS.map(layer => (
          <Layer key={layer} name={w.leads.layer[layer]} layer={layers[layer]} />
        ))}
      </dl>
      {missing && missing.length > 0 && (
        <div>
          <h3 className="font-medium">{words.missing}</h3>
          <ul className="list-disc pl-5">
            {missing.map(({ property, on, gain, how, reason }) => (
              <li key={`${on}/${property}`}>
                {toLabel(property)}
                <span className="text-quiet"> · {words.missingWhy(words.gap[reason], words.how[how], gain)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Layer({ name, layer: { score, coverage, reasons } }: { name: string; layer: Schemas['ScoreLayer'] }) {
  return (
    <>
      <dt className="text-quiet">{name}</dt>
      <dd>
        {score === null ? <Unknown /> : <span className="num font-medium">{score}</span>}
        <span className="num ml-2 text-xs text-quiet">{words.coverage(coverage)}</span>
        {reasons.length > 0 && (
          <ul className="text-quiet">
            {reasons.map(({ rule, text, points }) => (
              <li key={rule}>
                <span className="num inline-block w-8">{points > 0 ? `+${points}` : points}</span> {text}
              </li>
            ))}
          </ul>
        )}
      </dd>
    </>
  );
}

/** The scores that were recorded, the oldest first. */
function History({ recorded: { history, score, scored_at } }: { recorded: Schemas['AccountScore'] }) {
  const scores = [{ score, scored_at }, ...history].toReversed();
  return (
    <div className="space-y-1.5">
      <h3 className="font-medium">{words.scoreHistory}</h3>
      <Strip
        label={words.scores(scores.length)}
        bars={scores.map(each => ({
          key: each.scored_at,
          title: words.scoreOn(day(each.scored_at), each.score),
          share: (each.score ?? 0) / 100,
          tone: each.score === null ? 'waiting' : 'good',
        }))}
      />
    </div>
  );
}
