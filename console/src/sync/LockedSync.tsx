import type { Schemas } from '../api/schemas.ts';
import { DetailHeader } from '../shell/DetailHeader.tsx';
import { w } from '../words/en.ts';
import { PullSamples } from './PullSamples.tsx';
import { PushSamples } from './PushSamples.tsx';
import { useSync } from './SyncContext.ts';
import type { MassChange, PullSample } from './types.ts';

/** Invented records, which are marked as samples. */
const READ: readonly PullSample[] = [
  { object: 'contacts', id: '1', name: 'Ada Byron', outcome: 'sample', values: { title: 'CFO', company: 'Acme' } },
  { object: 'companies', id: '2', name: 'Acme', outcome: 'sample', values: { industry: 'Software' } },
];
const WRITTEN: MassChange['samples'] = [
  {
    object: 'contacts',
    id: '3',
    entity_id: '',
    name: 'Bo Ray',
    outcome: 'sample',
    changes: [
      { field: 'title', property: 'title', before: 'Buyer', after: 'Head of Purchasing', reason: 'claim_wins' },
    ],
  },
];

/** What a sync does that the plan of the workspace does not include, by the example of samples. */
export function LockedSync({ integration }: { integration: Schemas['Integration'] }) {
  const { title, words } = useSync();
  const { description, min_plan } = integration;
  return (
    <div className="flex h-full flex-col">
      <DetailHeader list="integrations" name={title} beside={<span className="text-quiet">{description}</span>} />
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={title}>
        <div className="mx-auto max-w-5xl space-y-6 p-5">
          {min_plan !== null && (
            <p className="rounded-md border border-line bg-panel px-4 py-3">{words.locked(w.plan[min_plan])}</p>
          )}
          <section className="space-y-2">
            <h2 className="font-semibold">{words.fromCrm}</h2>
            <PullSamples samples={READ} />
          </section>
          <section className="space-y-2">
            <h2 className="font-semibold">{words.toCrm}</h2>
            <PushSamples samples={WRITTEN} />
          </section>
        </div>
      </div>
    </div>
  );
}
