import { useState } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { w } from '../words/en.ts';
import { areSingleKeysOn, setSingleKeys } from '../ui/shortcuts.ts';

/** Lists the keys, and lets a person switch those of single letters off. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Dialog
      label={w.shortcuts.title}
      titled
      onClose={onClose}
      className="m-auto w-[min(520px,calc(100vw-24px))] rounded-md border"
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 px-5 py-4">
        {w.shortcuts.keys.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="num rounded bg-sunk px-1.5 py-0.5">{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="flex items-center gap-2.5 border-t border-line px-5 py-3">
        <input
          type="checkbox"
          className="size-4"
          checked={isOn}
          onChange={event => {
            setSingleKeys(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        {w.shortcuts.single}
      </label>
    </Dialog>
  );
}
