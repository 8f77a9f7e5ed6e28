import { getRouteApi, Link } from '@tanstack/react-router';
import { useWorkspace } from '../api/workspace.tsx';
import { Table } from '../ui/Table.tsx';
import { Choices } from '../ui/Choices.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { factWords } from '../words/facts.ts';
import { toLabel, w } from '../words/en.ts';
import { groupByWay, type RenewalGroup, type RenewalRow, type Way, type Window, WINDOWS } from './renewal.ts';
import { type Subject, toRenewalChips } from './search.ts';
import { useFacets } from './useFacets.ts';

const route = getRouteApi('/w/$workspace/facts/decaying');

/** Pages on which facts are renewed. */
const PAGES: Readonly<Partial<Record<Way, '/w/$workspace/integrations' | '/w/$workspace/imports'>>> = {
  sync: '/w/$workspace/integrations',
  provider: '/w/$workspace/integrations',
  import: '/w/$workspace/imports',
};

/** Facts that stop being fresh soon, or no longer are, by the cheapest way to renew them. */
export function DecayingPage() {
  const { window = '7d' } = route.useSearch();
  const go = route.useNavigate();
  const body = { refresh_within: window === 'past' ? '7d' : window };
  const people = useFacets('people', body);
  const companies = useFacets('companies', body);
  const error = people.error ?? companies.error;
  const isPartial = people.data?.has_more_properties === true || companies.data?.has_more_properties === true;
  return (
    <div className="h-full overflow-auto" tabIndex={0} role="region" aria-label={factWords.decaying.title}>
      <div className="mx-auto max-w-5xl space-y-6 px-5 py-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="text-quiet">{factWords.decaying.text}</p>
          <Choices
            label={factWords.decaying.window}
            values={WINDOWS}
            chosen={window}
            nameOf={each => factWords.decaying.windows[each]}
            onChoose={each => void go({ to: '.', search: { window: each }, replace: true })}
            className="sm:ml-auto"
          />
        </div>
        {error && (
          <ProblemNote
            error={error}
            onRetry={() => {
              void people.refetch();
              void companies.refetch();
            }}
          />
        )}
        {(people.isPending || companies.isPending) && <Skeleton rows={6} height={44} />}
        {people.data && companies.data && (
          <Groups groups={groupByWay(people.data.facets, companies.data.facets, window)} window={window} />
        )}
        {isPartial && <p className="text-quiet">{factWords.partial}</p>}
      </div>
    </div>
  );
}

function Groups({ groups, window }: { groups: readonly RenewalGroup[]; window: Window }) {
  if (groups.length === 0)
    return <EmptyState title={factWords.decaying.empty[window]} text={factWords.decaying.emptyText} />;
  return groups.map(group => <Group key={group.way} group={group} window={window} />);
}

function Group({ group: { way, facts, rows }, window }: { group: RenewalGroup; window: Window }) {
  const { workspace } = useWorkspace();
  const { title, text, action } = factWords.decaying.ways[way];
  const page = PAGES[way];
  return (
    <section className="space-y-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="font-semibold">{title}</h2>
        <span className="num text-quiet">{factWords.count(facts)}</span>
        <p className="text-quiet">{text}</p>
        {page && (
          <Link
            to={page}
            params={{ workspace: workspace.id }}
            className="font-medium text-accent underline underline-offset-2 sm:ml-auto"
          >
            {action}
          </Link>
        )}
      </div>
      <Table even label={title} head={[factWords.source, w.filter.property, w.nav.people, w.nav.companies]}>
        {rows.map(row => (
          <tr key={`${row.source} ${row.property}`}>
            <td className="num">{row.source}</td>
            <td>{toLabel(row.property)}</td>
            <td>
              <Count row={row} of="people" window={window} />
            </td>
            <td>
              <Count row={row} of="companies" window={window} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** A number that opens its rows. */
function Count({ row, of, window }: { row: RenewalRow; of: Subject; window: Window }) {
  const { workspace } = useWorkspace();
  const { property, source, [of]: facts } = row;
  if (facts === 0) return <span className="text-quiet">–</span>;
  return (
    <Link
      to={`/w/$workspace/${of}`}
      params={{ workspace: workspace.id }}
      search={{ chips: toRenewalChips(property, source, window) }}
      className="num inline-flex min-h-6 min-w-6 items-center font-medium text-accent underline underline-offset-2 max-md:min-h-11"
      aria-label={`${factWords.open[of](facts)}: ${toLabel(property)}, ${source}`}
    >
      {facts}
    </Link>
  );
}
