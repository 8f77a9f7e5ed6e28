import { useMemo, useRef } from 'react';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Schemas } from '../api/schemas.ts';
import { useWorkspace } from '../api/workspace.tsx';
import type { Neighbours } from '../lists/neighbours.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { w } from '../words/en.ts';
import type { ShownMoment } from '../knowledge/types.ts';
import { DaySlider } from './DaySlider.tsx';

type Account = Schemas['Account'];

/** The head of an account: its name and identifiers, its place in the list, and the days for which it is shown. */
export function AccountHeader({
  account,
  name,
  neighbours,
  moment: { as_of, known_at },
  onMoment,
}: {
  account: Account;
  name: string;
  neighbours: Neighbours | undefined;
  moment: ShownMoment;
  onMoment: (change: ShownMoment) => void;
}) {
  const slider = useRef<HTMLInputElement>(null);
  useShortcuts(useMemo(() => ({ 'shift t': () => slider.current?.focus() }), []));
  return (
    <header className="flex flex-wrap items-end gap-x-6 gap-y-3 border-b border-line px-5 pt-3.5 pb-3">
      <div className="min-w-0 flex-1 basis-72">
        <Breadcrumb account={account} />
        <h1 className="truncate text-xl font-semibold">{name}</h1>
        <div className="mt-1 flex flex-wrap items-center gap-1.5">
          {account.identifiers.map(identifier => (
            <Identifier key={identifier.kind + identifier.value} identifier={identifier} />
          ))}
          <CopyButton text={account.entity_id} short={`${account.entity_id.slice(0, 8)}…`} />
        </div>
      </div>
      {neighbours && (
        <div className="flex items-center gap-1 text-quiet">
          <NeighbourLink id={neighbours.previous} label={w.account.previous} Icon={ChevronLeft} />
          <a href={neighbours.href} className="num hover:underline">
            {w.account.position(neighbours.position, neighbours.count)}
          </a>
          <NeighbourLink id={neighbours.next} label={w.account.next} Icon={ChevronRight} />
        </div>
      )}
      <DaySlider
        label={w.account.asOf}
        hint={w.account.asOfHint}
        from={findFirstDay(account)}
        value={as_of}
        ref={slider}
        onChange={at => onMoment({ as_of: at })}
      />
      <DaySlider
        label={w.account.knownAt}
        hint={w.account.knownAtHint}
        from={Date.parse(account.entity.created_at)}
        value={known_at}
        onChange={at => onMoment({ known_at: at })}
      />
    </header>
  );
}

/** An identifier, with its status where an address cannot be used. */
function Identifier({ identifier: { value, status, status_at } }: { identifier: Schemas['AccountIdentifier'] }) {
  const button = <CopyButton text={value} short={value.replace(/^https?:\/\/(?:www\.)?/, '')} />;
  if (status === undefined || status === 'valid') return button;
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      {button}
      <span className="text-xs text-against" title={status_at && w.account.statusSince(status_at.slice(0, 10))}>
        {status}
      </span>
    </span>
  );
}

/** Returns the first time at which something is known to have held or happened, in milliseconds. */
function findFirstDay({ entity, claims }: Account): number {
  const all = Array.isArray(claims) ? claims : Object.values(claims);
  const times = all.flatMap(({ valid_from, history = [] }) => [valid_from, ...history.map(each => each.valid_from)]);
  return Math.min(
    ...[entity.created_at, entity.first_activity_at, ...times].flatMap(at => (at ? [Date.parse(at)] : [])),
  );
}

function Breadcrumb({ account: { type, entity } }: { account: Account }) {
  const { workspace } = useWorkspace();
  const params = { workspace: workspace.id };
  const isCompany = type === 'company';
  return (
    <nav aria-label="Breadcrumb" className="mb-0.5 flex items-center gap-1 text-xs text-quiet">
      <Link
        to={isCompany ? '/w/$workspace/companies' : '/w/$workspace/people'}
        params={params}
        className="hover:underline"
      >
        {isCompany ? w.nav.companies : w.nav.people}
      </Link>
      {entity.company && (
        <>
          <ChevronRight className="size-3" aria-hidden="true" />
          <Link
            to="/w/$workspace/accounts/$id"
            params={{ ...params, id: entity.company.id }}
            className="truncate hover:underline"
          >
            {entity.company.name ?? entity.company.domain ?? w.company}
          </Link>
        </>
      )}
    </nav>
  );
}

function NeighbourLink({ id, label, Icon }: { id: string | undefined; label: string; Icon: typeof ChevronLeft }) {
  const { workspace } = useWorkspace();
  const look = 'soft grid size-7 place-items-center rounded-md border border-line max-md:size-11';
  const inside = (
    <>
      <Icon className="size-4" aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </>
  );
  if (id === undefined)
    return (
      <span className={`${look} opacity-40`} aria-disabled="true">
        {inside}
      </span>
    );
  return (
    <Link
      to="/w/$workspace/accounts/$id"
      params={{ workspace: workspace.id, id }}
      title={label}
      className={`${look} hover:bg-sunk`}
    >
      {inside}
    </Link>
  );
}
