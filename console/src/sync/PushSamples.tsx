import { toLabel } from '../words/en.ts';
import { Record, Turn } from './Record.tsx';
import type { MassChange } from './types.ts';
import { useSync } from './SyncContext.ts';

/** Examples of what would be written to the CRM, each value with the reason. */
export function PushSamples({ samples }: { samples: MassChange['samples'] }) {
  const { words } = useSync();
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {samples.map(({ object, id, entity_id, name, outcome, changes }) => (
        <li key={entity_id} className="space-y-1 px-4 py-2.5">
          <p className="flex flex-wrap items-baseline gap-2">
            <Record object={object} id={id} name={name} entityId={entity_id} />
            <span className="text-xs text-quiet">{words.outcome[outcome] ?? outcome}</span>
          </p>
          <ul className="space-y-0.5">
            {changes.map(({ field, property, before, after, reason }) => (
              <li key={field} className="flex flex-wrap gap-x-2">
                <span className="w-32 text-quiet">{toLabel(property)}</span>
                <Turn before={before} after={after} />
                <span className="text-xs text-quiet">{words.reason[reason] ?? toLabel(reason)}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
