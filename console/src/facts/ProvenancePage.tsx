import { getRouteApi, Link } from '@tanstack/react-router';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { cn } from '../ui/cn.ts';
import { Choices } from '../ui/Choices.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { factWords } from '../words/facts.ts';
import { toLabel, w } from '../words/en.ts';
import { toMap } from './provenance.ts';
import { type Subject, SUBJECTS } from './search.ts';
import { useFacets } from './useFacets.ts';

type Facet = Schemas['Facet'];

const route = getRouteApi('/w/$workspace/facts/provenance');

/** Which source stands behind which facts, and how many of them stand on it alone. */
export function ProvenancePage() {
  const { of = 'people' } = route.useSearch();
  const go = route.useNavigate();
  const counts = useFacets(of);
  return (
    <div className="flex h-full flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="text-quiet">{factWords.provenance.text}</p>
        <Choices
          label={factWords.provenance.of}
          values={SUBJECTS}
          chosen={of}
          nameOf={each => w.nav[each]}
          onChoose={each => void go({ to: '.', search: { of: each }, replace: true })}
          className="sm:ml-auto"
        />
      </div>
      {counts.error && <ProblemNote error={counts.error} onRetry={() => void counts.refetch()} />}
      {counts.isPending && <Skeleton rows={8} height={40} />}
      {counts.data?.facets.length === 0 && (
        <EmptyState title={factWords.provenance.empty} text={factWords.provenance.emptyText} />
      )}
      {counts.data && counts.data.facets.length > 0 && <ProvenanceMap facets={counts.data.facets} of={of} />}
      {counts.data?.has_more_properties && <p className="text-quiet">{factWords.partial}</p>}
    </div>
  );
}

function ProvenanceMap({ facets, of }: { facets: readonly Facet[]; of: Subject }) {
  const { sources, rows } = toMap(facets);
  return (
    <div
      className="min-h-0 overflow-auto rounded-md border border-line"
      tabIndex={0}
      role="region"
      aria-label={factWords.provenance.title}
    >
      <table className="border-separate border-spacing-0 text-left">
        <thead className="text-xs text-quiet [&_th]:sticky [&_th]:top-0 [&_th]:h-9 [&_th]:border-b [&_th]:border-line [&_th]:bg-panel [&_th]:px-3 [&_th]:font-normal [&_th]:whitespace-nowrap">
          <tr>
            <th scope="col" className="left-0 z-20">
              {w.filter.property}
            </th>
            <th scope="col" className="z-10 text-right">
              {factWords.provenance.facts}
            </th>
            <th scope="col" className="z-10 text-right">
              {factWords.provenance.alone}
            </th>
            {sources.map(source => (
              <th key={source} scope="col" className="num z-10 text-right">
                {source}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_:is(td,th)]:h-10 [&_:is(td,th)]:border-b [&_:is(td,th)]:border-line [&_:is(td,th)]:px-3">
          {rows.map(({ property, claims, alone, cells }) => (
            <tr key={property}>
              <th scope="row" className="sticky left-0 z-10 bg-paper font-medium whitespace-nowrap">
                {toLabel(property)}
              </th>
              <td className="num text-right">{claims}</td>
              <td className="num text-right">{factWords.provenance.share(alone / claims)}</td>
              {cells.map((cell, index) => (
                <td key={sources[index]} className="num !p-0 text-right whitespace-nowrap" style={toTint(cell, claims)}>
                  {cell && <Cell cell={cell} property={property} of={of} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The strongest tint that leaves text on it readable, in percent. */
const MAX_TINT = 22;

/** Colours a cell by the share of the facts about a property that stand on one source alone. */
function toTint(cell: Schemas['FacetSource'] | undefined, claims: number) {
  if (!cell || cell.only_source === 0) return undefined;
  const percent = Math.max(3, Math.round((MAX_TINT * cell.only_source) / claims));
  return { backgroundColor: `color-mix(in srgb, var(--against) ${percent}%, transparent)` };
}

/** The facts of a source that no other supports, which opens them, of all that it supports. */
function Cell({
  cell: { source, claims, only_source },
  property,
  of,
}: {
  cell: Schemas['FacetSource'];
  property: string;
  of: Subject;
}) {
  const { workspace } = useWorkspace();
  const isAlone = only_source > 0;
  return (
    <Link
      to={`/w/$workspace/${of}`}
      params={{ workspace: workspace.id }}
      search={{
        chips: [
          { property, condition: 'exists', value: '' },
          { property, condition: isAlone ? 'only_source' : 'source', value: source },
        ],
      }}
      className="flex h-full items-center justify-end gap-1 px-3 hover:underline max-md:min-h-11"
    >
      <span className={cn(isAlone && 'font-semibold')}>{only_source}</span>
      <span className="text-xs">/ {claims}</span>
      <span className="sr-only">{factWords.provenance.cell(toLabel(property), source)}</span>
    </Link>
  );
}
