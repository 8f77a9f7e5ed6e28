import { useState } from 'react';
import { areListsPaged, setListsPaged } from '../lists/paging.ts';
import { listWords } from '../words/lists.ts';

/** Chooses how lists of this browser load more rows. */
export function ListSetting() {
  const [isOn, setOn] = useState(areListsPaged);
  return (
    <section className="space-y-2">
      <h2 className="font-semibold">{listWords.setting}</h2>
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-0.5 size-4"
          checked={isOn}
          onChange={event => {
            setListsPaged(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        {listWords.paged}
      </label>
    </section>
  );
}
