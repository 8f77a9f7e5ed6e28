import { Link } from '@tanstack/react-router';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { Unknown } from '../knowledge/marks.tsx';
import { w } from '../words/en.ts';

/** The people of a company. */
export function Colleagues({
  people,
  count,
}: {
  people: readonly Schemas['CompanyPerson'][];
  /** Number of all people, of which the API names the first. */
  count: number | undefined;
}) {
  const { workspace } = useWorkspace();
  if (people.length === 0) return null;
  return (
    <section aria-label={w.account.people} className="pt-6">
      <h2 className="flex items-baseline gap-2 px-5 pb-1 font-semibold">
        {w.account.people}
        <span className="num font-normal text-quiet">{count ?? people.length}</span>
      </h2>
      <ul>
        {people.map(({ entity_id, name, email, title }) => (
          <li key={entity_id}>
            <Link
              to="/w/$workspace/accounts/$id"
              params={{ workspace: workspace.id, id: entity_id }}
              className="soft grid min-h-9 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-3 px-5 hover:bg-panel max-md:min-h-11"
            >
              <span className="truncate font-medium">{name ?? email ?? <Unknown />}</span>
              <span className="truncate text-quiet">{title ?? <Unknown />}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
