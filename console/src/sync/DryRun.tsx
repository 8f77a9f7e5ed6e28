import { Counts } from './Counts.tsx';
import { PullSamples } from './PullSamples.tsx';
import { PushSamples } from './PushSamples.tsx';
import type { SyncResult } from './types.ts';
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
