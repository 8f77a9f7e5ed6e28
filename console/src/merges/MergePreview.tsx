import { useQuery } from '@tanstack/react-query';
import { bodyOf, type Hub } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { ClassGlyph, ConfidenceBar, INK, Unknown } from '../knowledge/marks.tsx';
import type { EpistemicClass } from '../knowledge/types.ts';
import { cn } from '../ui/cn.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { mergeWords } from '../words/merges.ts';
import { toLabel, w } from '../words/en.ts';
import { toText } from '../words/text.ts';

type Claim = Schemas['PersonClaim'];
type Row = Schemas['Person'] | Schemas['Company'];
type Claims = Readonly<Record<string, Claim>>;

/** Shows the claims of two entities beside each other; what differs comes first. */
export function MergePreview({
  proposal: { entity_id: a, other_entity_id: b, entity_name, other_entity_name },
}: {
  proposal: Schemas['MergeProposal'];
}) {
  const { hub, workspace } = useWorkspace();
  const both = useQuery({
    queryKey: [workspace.id, 'merge preview', a, b],
    placeholderData: undefined,
    queryFn: ({ signal }) => readClaims(hub, [a, b], signal),
  });
  if (both.error) return <ProblemNote error={both.error} onRetry={() => void both.refetch()} />;
  if (!both.data) return <Skeleton rows={8} />;
  const rows = toRows(both.data.get(a) ?? {}, both.data.get(b) ?? {});
  return (
    <table className="w-full table-fixed border-t border-line text-left">
      <thead className="text-xs text-quiet">
        <tr className="h-8">
          <th scope="col" className="w-28 font-normal">
            <span className="sr-only">{w.filter.property}</span>
          </th>
          {[entity_name, other_entity_name].map((name, side) => (
            <th key={side === 0 ? a : b} scope="col" className="truncate px-2 font-medium text-ink">
              {name ?? w.unknown}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="[&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:py-1.5 [&_th]:border-t [&_th]:border-line">
        {rows.map(({ property, values, isDifferent }) => (
          <tr key={property} className={cn(isDifferent && 'bg-against-soft')}>
            <th scope="row" className="text-xs font-normal text-quiet">
              {toLabel(property)}
              {isDifferent && <span className="sr-only"> {mergeWords.differs}</span>}
            </th>
            {values.map((claim, side) => (
              <td key={side === 0 ? a : b}>
                <ClaimValue claim={claim} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Reads the claims of entities, which are people, companies, or one of each. */
async function readClaims(hub: Hub, ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Claims>> {
  const query = { filter: JSON.stringify({ id: { $in: ids } }), include: 'claims' as const, limit: ids.length };
  const people: readonly Row[] = bodyOf(await hub.GET('/v2/people', { signal, params: { query } })).people;
  const companies: readonly Row[] =
    people.length === ids.length ? [] : bodyOf(await hub.GET('/v2/companies', { signal, params: { query } })).companies;
  return new Map([...people, ...companies].map(({ id, claims = {} }) => [id, claims]));
}

function ClaimValue({ claim }: { claim: Claim | undefined }) {
  if (!claim) return <Unknown />;
  return (
    <span className="flex items-center gap-2">
      <span className={cn('min-w-0 flex-1 break-words', INK[claim.freshness])}>
        {toText(claim.value) || w.class.ended}
      </span>
      <ClassGlyph kind={claim.epistemic_class as EpistemicClass} />
      <ConfidenceBar value={claim.confidence} />
    </span>
  );
}

interface ComparedClaim {
  readonly property: string;
  readonly values: readonly [Claim | undefined, Claim | undefined];
  readonly isDifferent: boolean;
}

function toRows(one: Claims, other: Claims): ComparedClaim[] {
  const properties = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return properties
    .map(property => {
      const values = [one[property], other[property]] as const;
      const [first, second] = values.map(claim => claim && toText(claim.value).trim().toLowerCase());
      return { property, values, isDifferent: first !== undefined && second !== undefined && first !== second };
    })
    .toSorted((x, y) => Number(y.isDifferent) - Number(x.isDifferent) || (x.property < y.property ? -1 : 1));
}
