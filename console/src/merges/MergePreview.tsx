import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { ClassGlyph, ConfidenceBar, INK, Unknown } from '../knowledge/marks.tsx';
import type { EpistemicClass } from '../knowledge/types.ts';
import { cn } from '../ui/cn.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toLabel, w } from '../words/en.ts';
import { mergeWords } from '../words/merges.ts';
import { toText } from '../words/text.ts';
import { MERGE_PREVIEW } from './useMergeRefresh.ts';

type Preview = Schemas['MergePreview'];
type Claim = Preview['claims'][number];
type Side = Preview['entities'][number];

/** Two accounts side by side, and what each claim would become; what differs stands first. */
export function MergePreview({
  a,
  b,
}: {
  /** What identifies either account. */
  a: string;
  b: string;
}) {
  const { hub, workspace } = useWorkspace();
  const preview = useQuery({
    queryKey: [workspace.id, MERGE_PREVIEW, a, b],
    placeholderData: undefined,
    queryFn: async ({ signal }) =>
      bodyOf(await hub.GET('/v2/accounts/merge-preview', { signal, params: { query: { a, b } } })),
  });
  if (preview.error) return <ProblemNote error={preview.error} onRetry={() => void preview.refetch()} />;
  if (!preview.data) return <Skeleton rows={8} />;
  const { entities } = preview.data;
  const [own, others] = entities.map(side => new Set(side.identifiers.map(({ key }) => key)));
  const shared = new Set([...own!].filter(key => others!.has(key)));
  const all = new Set([...own!, ...others!]);
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={mergeWords.preview}>
      <table className="w-full min-w-160 table-fixed border-t border-line text-left">
        <thead className="text-xs text-quiet">
          <tr className="h-8">
            <th scope="col" className="w-28 font-normal">
              <span className="sr-only">{w.filter.property}</span>
            </th>
            {entities.map(side => (
              <th key={side.entity_id} scope="col" className="truncate px-2 font-medium text-ink">
                {side.name ?? side.identifiers[0]?.value ?? w.unknown}
              </th>
            ))}
            <th scope="col" className="px-2 font-medium text-ink">
              {mergeWords.asOne}
            </th>
          </tr>
        </thead>
        <tbody className="[&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:py-1.5 [&_th]:border-t [&_th]:border-line">
          <tr>
            <th scope="row" className="text-xs font-normal text-quiet">
              {mergeWords.identifiers}
            </th>
            {entities.map(side => (
              <td key={side.entity_id} className="align-top">
                <Identifiers side={side} shared={shared} />
              </td>
            ))}
            <td className="num align-top text-quiet">{mergeWords.all(all.size)}</td>
          </tr>
          {toRows(preview.data).map(({ property, claims, isDifferent }) => (
            <tr key={property} className={cn(isDifferent && 'bg-against-soft')}>
              <th scope="row" className="text-xs font-normal text-quiet">
                {toLabel(property)}
                {isDifferent && <span className="sr-only"> {mergeWords.differs}</span>}
              </th>
              {PLACES.map(place => (
                <td key={place} className={cn(place === 'merged' && 'font-medium')}>
                  <ClaimValue claim={claims[place]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Identifiers of one of the two; those that both claim are marked. */
function Identifiers({ side: { identifiers }, shared }: { side: Side; shared: ReadonlySet<string> }) {
  return (
    <ul>
      {identifiers.map(({ kind, key, value }) => (
        <li key={kind + key} className={cn('break-words', shared.has(key) && 'text-against')}>
          {value}
          {shared.has(key) && <span className="text-xs"> {mergeWords.shared}</span>}
        </li>
      ))}
    </ul>
  );
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

const PLACES = ['one', 'other', 'merged'] as const;

interface ComparedClaim {
  readonly property: string;
  readonly claims: Readonly<Record<(typeof PLACES)[number], Claim | undefined>>;
  /** Whether both have a value, and not the same. */
  readonly isDifferent: boolean;
}

function toRows({ entities, claims }: Preview): ComparedClaim[] {
  const [one, other, merged] = [...entities.map(side => side.claims), claims].map(
    list => new Map(list.map(claim => [claim.property, claim])),
  );
  const properties = new Set([...one!.keys(), ...other!.keys(), ...merged!.keys()]);
  return [...properties]
    .map(property => {
      const own = { one: one!.get(property), other: other!.get(property), merged: merged!.get(property) };
      const [first, second] = [own.one, own.other].map(claim => claim && toText(claim.value).trim().toLowerCase());
      return { property, claims: own, isDifferent: first !== undefined && second !== undefined && first !== second };
    })
    .toSorted((x, y) => Number(y.isDifferent) - Number(x.isDifferent) || (x.property < y.property ? -1 : 1));
}
