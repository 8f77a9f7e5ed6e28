import { cn } from '../ui/cn.ts';
import { w } from '../words/en.ts';
import { ago, exactTime } from '../words/when.ts';
import { toStatedText } from './evidence.ts';
import type { Statement } from './types.ts';

const TONES = {
  for: { line: 'border-for', text: 'text-for', bar: 'bg-for' },
  against: { line: 'border-against', text: 'text-against', bar: 'bg-against' },
  quiet: { line: 'border-line-strong', text: 'text-quiet', bar: 'bg-bar' },
} as const;

/** The statements on one side of a claim, the heaviest first. */
export function EvidenceSide({
  title,
  tone,
  statements,
  empty,
  now,
}: {
  title: string;
  tone: keyof typeof TONES;
  statements: readonly Statement[];
  empty: string;
  now: number;
}) {
  const { line, text, bar } = TONES[tone];
  return (
    <div>
      <h3 className={cn('mb-1 flex items-baseline justify-between border-b-2 pb-1 font-semibold', line, text)}>
        {title}
        <span className="num">{statements.length}</span>
      </h3>
      {statements.length === 0 && <p className="py-1.5 text-quiet">{empty}</p>}
      <ul>
        {statements.map(({ observation_id, value, source, method, observed_at, role, weight, why }) => (
          <li key={observation_id} className="border-b border-line py-2" title={why}>
            <div className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 truncate font-medium">{source}</span>
              {weight > 0 && (
                <>
                  <span aria-hidden="true" className="h-1 w-10 self-center overflow-hidden rounded-full bg-sunk">
                    <i className={cn('block h-full', bar)} style={{ width: `${weight * 100}%` }} />
                  </span>
                  <span className="num">{weight.toFixed(2)}</span>
                </>
              )}
            </div>
            {role !== 'supports' && <p className="break-words">{toStatedText(value)}</p>}
            <p className="text-xs text-quiet" title={exactTime(observed_at)}>
              {w.evidence.by(ago(observed_at, now), method)}
            </p>
            {(role !== 'supports' || weight === 0) && <p className="text-xs text-quiet">{why}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}
