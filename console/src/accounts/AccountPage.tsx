import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { bodyOf, HubError } from '../api/client.ts';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import { ProblemPage } from '../shell/DetailHeader.tsx';
import { EvidencePane } from '../knowledge/EvidencePane.tsx';
import { type Claim, isSafe } from '../knowledge/types.ts';
import { findNeighbours } from '../lists/neighbours.ts';
import { readStoredList } from '../lists/storedList.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ContactPanels } from '../panels/ContactPanels.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useIsWide } from '../ui/useIsWide.ts';
import { toLabel, w } from '../words/en.ts';
import { AccountHeader } from './AccountHeader.tsx';
import { Activity } from './Activity.tsx';
import { ClaimRow } from './ClaimRow.tsx';
import { Colleagues } from './Colleagues.tsx';
import { Links } from './Links.tsx';
import { MergedNote } from './MergedNote.tsx';
import { Score } from './Score.tsx';
import { Notes } from './Notes.tsx';
import type { AccountSearch } from './search.ts';
import { Timeline, TIMELINE_ROWS } from './Timeline.tsx';

const MAX_CLAIM_KEYS = 9;

type Account = Schemas['Account'];
/** An account, or the people whom a name may mean. */
type AccountAnswer = Account | Schemas['AmbiguousName'];

const route = getRouteApi('/w/$workspace/accounts/$id');

/** One person or company: what is known, how well, and what happened. */
export function AccountPage() {
  const { id } = route.useParams();
  const { as_of, known_at } = route.useSearch();
  const { hub, workspace } = useWorkspace();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [workspace.id, 'account', id, as_of, known_at],
    // Another day of the same account replaces what is shown; another account does not stay under this address.
    placeholderData: (before: AccountAnswer | undefined, query) => (query?.queryKey[2] === id ? before : undefined),
    queryFn: async ({ signal }): Promise<AccountAnswer> => {
      const query = { limit: TIMELINE_ROWS, as_of, known_at };
      return bodyOf(await hub.GET('/v2/accounts/{id}', { signal, params: { path: { id }, query } }));
    },
  });
  if (error) return <AccountProblem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={10} />;
  if (!('claims' in data)) return <Candidates candidates={data.candidates} />;
  return <Account account={data} isBusy={isFetching} />;
}

function AccountProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isUnknown = error instanceof HubError && error.status === 404;
  return (
    <ProblemPage
      title={isUnknown ? w.account.unknown : w.account.failed}
      error={error}
      {...(!isUnknown && { onRetry })}
    />
  );
}

/** An address may name somebody by a name that several have. */
function Candidates({ candidates }: { candidates: Schemas['AmbiguousName']['candidates'] }) {
  const { workspace } = useWorkspace();
  return (
    <div className="mx-auto max-w-xl space-y-3 p-6">
      <h1 className="text-lg font-semibold">{w.account.ambiguous}</h1>
      <ul className="space-y-1">
        {candidates.map(({ entity_id, name, detail }) => (
          <li key={entity_id}>
            <Link
              to="/w/$workspace/accounts/$id"
              params={{ workspace: workspace.id, id: entity_id }}
              className="block rounded-md border border-line px-3 py-2 hover:bg-panel"
            >
              <span className="font-medium">{name}</span> <span className="text-quiet">{detail}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Claims in the order of the page: what must be checked, what is safe, what has ended. */
interface ClaimGroup {
  readonly title: string;
  readonly hint: string;
  readonly claims: readonly Claim[];
}

function toGroups(account: Account): ClaimGroup[] {
  const all = Array.isArray(account.claims) ? account.claims : Object.values(account.claims);
  const pick = (title: string, hint: string, test: (claim: Claim) => boolean): ClaimGroup => ({
    title,
    hint,
    claims: all.filter(test).toSorted((a, b) => b.opposing.length - a.opposing.length || b.confidence - a.confidence),
  });
  return [
    pick(w.account.check, w.account.checkHint, claim => claim.status === 'current' && !isSafe(claim)),
    pick(w.account.safe, w.account.safeHint, isSafe),
    pick(w.account.past, w.account.pastHint, claim => claim.status === 'ended'),
  ].filter(({ claims }) => claims.length > 0);
}

function Account({ account, isBusy }: { account: Account; isBusy: boolean }) {
  const { id: requested } = route.useParams();
  const { claim: chosen, as_of, known_at, merged } = route.useSearch();
  const moment = { as_of, known_at };
  const { workspace } = useWorkspace();
  const go = useNavigate();
  const isWide = useIsWide();
  const groups = useMemo(() => toGroups(account), [account]);
  const claims = useMemo(() => groups.flatMap(group => group.claims), [groups]);
  const open = claims.find(({ property }) => property === chosen) ?? (isWide ? claims[0] : undefined);
  const set = useMemo(
    () => (change: Partial<AccountSearch>) =>
      void go({
        to: '/w/$workspace/accounts/$id',
        params: { workspace: workspace.id, id: account.entity_id },
        search: before => ({ ...(before as AccountSearch), ...change }),
        replace: true,
      }),
    [go, workspace.id, account.entity_id],
  );
  // A merged account is shown under its present ID, so that the address that people share is the one that stays.
  useEffect(() => {
    if (account.merged_into !== undefined) set({ merged: requested });
  }, [account.merged_into, requested, set]);
  const name = account.name ?? account.identifiers[0]?.value ?? w.account.noName;
  const neighbours = useMemo(() => findNeighbours(readStoredList(), account.entity_id), [account.entity_id]);
  const shortcuts = useMemo(() => {
    const walk = (id: string | undefined) => () =>
      id !== undefined && void go({ to: '/w/$workspace/accounts/$id', params: { workspace: workspace.id, id } });
    const numbers = claims
      .slice(0, MAX_CLAIM_KEYS)
      .map(({ property }, index) => [String(index + 1), () => set({ claim: property })]);
    return Object.fromEntries([
      ...numbers,
      ['[', walk(neighbours?.previous)],
      [']', walk(neighbours?.next)],
      ['t', () => set({ as_of: undefined, known_at: undefined })],
    ]) as Record<string, () => void>;
  }, [claims, go, neighbours, set, workspace.id]);
  useShortcuts(shortcuts);
  const pane = open && (
    <EvidencePane
      key={open.property}
      account={account.entity_id}
      name={name}
      property={open.property}
      moment={moment}
    />
  );
  return (
    <div className="flex h-full flex-col" aria-busy={isBusy}>
      <title>{`${name} · ${workspace.name}`}</title>
      <AccountHeader account={account} name={name} neighbours={neighbours} moment={moment} onMoment={set} />
      <div className="grid min-h-0 flex-1 min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(460px,0.95fr)]">
        <div className="min-h-0 overflow-auto pb-8" tabIndex={0} role="region" aria-label={w.account.claimsAndTimeline}>
          {merged !== undefined && <MergedNote id={account.entity_id} merged={merged} />}
          {groups.length === 0 && <EmptyState title={w.account.none} text={w.account.noneText} />}
          {groups.map(({ title, hint, claims: own }) => (
            <section key={title} aria-label={title} className="pt-4">
              <h2 className="flex items-baseline gap-2 px-5 pb-1 font-semibold">
                {title}
                <span className="num font-normal text-quiet">{own.length}</span>
                <span className="ml-auto truncate text-xs font-normal text-quiet max-sm:hidden">{hint}</span>
              </h2>
              <ul>
                {own.map(claim => (
                  <ClaimRow
                    key={claim.property}
                    claim={claim}
                    isOpen={claim === open}
                    onOpen={() => set({ claim: claim.property })}
                  />
                ))}
              </ul>
            </section>
          ))}
          <Activity account={account} moment={moment} />
          <Colleagues people={account.people ?? []} count={account.people_count} />
          <Notes notes={account.notes} />
          {account.type === 'person' && (
            <Score key={`score ${account.entity_id}`} id={account.entity_id} recorded={account.icp} />
          )}
          <Links key={`links ${account.entity_id}`} id={account.entity_id} name={name} />
          {account.type === 'person' && <ContactPanels key={account.entity_id} focus={account.entity_id} />}
          <Timeline key={account.entity_id} account={account} moment={moment} />
        </div>
        {isWide && (
          <aside
            className="min-h-0 overflow-auto border-l border-line bg-panel"
            tabIndex={0}
            aria-label={w.account.evidence}
          >
            {pane ?? <p className="p-5 text-quiet">{w.account.choose}</p>}
          </aside>
        )}
      </div>
      {!isWide && pane && open && (
        <Dialog
          label={`${w.account.evidence}: ${toLabel(open.property)}`}
          titled
          onClose={() => set({ claim: undefined })}
          className="mx-auto mt-8 mb-0 h-[calc(100%-32px)] max-h-none w-full max-w-none rounded-t-md border-t sm:max-w-xl"
        >
          {pane}
        </Dialog>
      )}
    </div>
  );
}
