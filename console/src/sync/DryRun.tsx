import { toLabel } from '../words/en.ts';
import { toText } from '../words/text.ts';
import { Counts } from './Counts.tsx';
import { PushSamples } from './PushSamples.tsx';
import { Record } from './Record.tsx';
import type { PullSample, SyncResult } from './types.ts';
import { useSync } from './SyncContext.ts';

/** What a sync would do, with examples of either side. */
export function DryRun({ result }: { result: SyncResult }) {
  const { words } = useSync();
  const { counts, push } = result;
  const samples = result.samples ?? [];
  const pushed = result.push_samples ?? [];
  return (
    <section className="space-y-4">
      <div>
        <h2 className="font-semibold">{words.dryResult}</h2>
        <p className="text-quiet">{words.dryResultText}</p>
      </div>
      <Counts counts={counts} push={push} />
      {samples.length === 0 && pushed.length === 0 && <p>{words.nothingToDo}</p>}
      {samples.length > 0 && (
        <div className="space-y-2">
          <h3 className="font-medium">{words.fromCrm}</h3>
          <PullSamples samples={samples} />
        </div>
      )}
      {pushed.length > 0 && (
        <div className="space-y-2">
          <h3 className="font-medium">{words.toCrm}</h3>
          <PushSamples samples={pushed} />
        </div>
      )}
    </section>
  );
}

function PullSamples({ samples }: { samples: readonly PullSample[] }) {
  const { words } = useSync();
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {samples.map(({ object, id, name, outcome, values }) => (
        <li key={`${object}/${id}`} className="space-y-1 px-4 py-2.5">
          <p className="flex flex-wrap items-baseline gap-2">
            <Record object={object} id={id} name={name} />
            <span className="text-xs text-quiet">{words.outcome[outcome] ?? outcome}</span>
          </p>
          <p className="flex flex-wrap gap-x-4">
            {Object.entries(values).map(([property, value]) => (
              <span key={property}>
                <span className="text-quiet">{toLabel(property)}</span> {toText(value) || words.empty}
              </span>
            ))}
          </p>
        </li>
      ))}
    </ul>
  );
}
