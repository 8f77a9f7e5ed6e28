import type { Schemas } from '../api/schemas.ts';
import { w } from '../words/en.ts';
import { day } from '../words/when.ts';

/** The notes about an account, each of which opens to its text. */
export function Notes({ notes }: { notes: readonly Schemas['Note'][] }) {
  if (notes.length === 0) return null;
  return (
    <section aria-label={w.account.notes} className="px-5 pt-6">
      <h2 className="flex items-baseline gap-2 pb-1 font-semibold">
        {w.account.notes}
        <span className="num font-normal text-quiet">{notes.length}</span>
      </h2>
      <ul>
        {notes.map(({ id, title, date, content, source }) => (
          <li key={id} className="border-b border-line">
            <details>
              <summary className="flex min-h-9 cursor-pointer items-center gap-3 max-md:min-h-11">
                <span className="truncate font-medium">{title}</span>
                <span className="text-xs text-quiet">{source}</span>
                <time dateTime={date} className="num ml-auto text-quiet">
                  {day(date)}
                </time>
              </summary>
              <p className="pb-3 break-words whitespace-pre-wrap">{content}</p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
