import { toLabel } from '../words/en.ts';
import { toText } from '../words/text.ts';
import { Record } from './Record.tsx';
import type { PullSample } from './types.ts';
import { useSync } from './SyncContext.ts';

/** Examples of what would be recorded, each with its values. */
export function PullSamples({ samples }: { samples: readonly PullSample[] }) {
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
