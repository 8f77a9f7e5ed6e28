import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { askWords } from '../words/ask.ts';
import type { Group } from './groups.ts';

/** Bars that are drawn before somebody asks for all. */
const MAX_BARS = 24;

/** Groups as bars, each of which narrows the question to its matches. */
export function GroupBars({
  groups,
  nameOf,
  onOpen,
}: {
  groups: readonly Group[];
  nameOf: (group: Group) => string;
  onOpen: (group: Group) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const most = Math.max(...groups.map(({ count }) => count));
  const shown = isWhole ? groups : groups.slice(0, MAX_BARS);
  return (
    <section aria-label={askWords.groups} className="px-4 pt-3">
      <ul className="grid grid-cols-[minmax(72px,auto)_1fr] gap-x-3">
        {shown.map(group => (
          <li key={group.key} className="col-span-2 grid grid-cols-subgrid">
            <button
              type="button"
              onClick={() => onOpen(group)}
              className="soft col-span-2 grid h-7 grid-cols-subgrid items-center rounded text-left hover:bg-panel max-md:h-11"
            >
              <span className="max-w-56 truncate text-quiet">{nameOf(group)}</span>
              <span className="flex min-w-0 items-center gap-2">
                <span
                  aria-hidden="true"
                  className="h-3.5 shrink-0 rounded-sm bg-accent"
                  style={{ width: `${(80 * group.count) / most}%`, minWidth: 2 }}
                />
                <span className="num">{group.count}</span>
                <span className="sr-only">{askWords.openGroup(group.entities)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < groups.length && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {askWords.allGroups(groups.length)}
        </Button>
      )}
    </section>
  );
}
