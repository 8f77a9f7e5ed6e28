import { useQueryClient } from '@tanstack/react-query';
import { Check, ClipboardCopy, PenLine, ShieldCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { bodyOf } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { toText } from '../words/text.ts';
import { useMay, useWorkspace } from '../api/workspace.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Button } from '../ui/Button.tsx';
import { cn } from '../ui/cn.ts';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { toLabel, w } from '../words/en.ts';
import { ago, exactTime } from '../words/when.ts';
import { CorrectionDialog } from './CorrectionDialog.tsx';
import { toAxis, toProof, toSides } from './evidence.ts';
import { EvidenceAxis } from './EvidenceAxis.tsx';
import { EvidenceSide } from './EvidenceSide.tsx';
import { ClassGlyph, ConfidenceBar, INK } from './marks.tsx';
import { SeriesPlot } from './SeriesPlot.tsx';
import { type ClaimEvidence, isSafe, type ShownMoment } from './types.ts';
import { useStatement } from './useStatement.ts';

const PAGE_STATEMENTS = 100;

/** Everything about one claim: why it has its value, when it was stated and held, and who states what. */
export function EvidencePane({
  account,
  name,
  property,
  moment: { as_of, known_at },
}: {
  /** ID of the entity. */
  account: string;
  /** Name of the entity, for a proof. */
  name: string;
  property: string;
  moment: ShownMoment;
}) {
  const { hub, workspace } = useWorkspace();
  const [openedAt] = useState(() => Date.now());
  const pages = usePages({
    queryKey: [workspace.id, 'claim', account, property, as_of, known_at],
    placeholderData: undefined,
    load: async (cursor, signal) =>
      bodyOf(
        await hub.GET('/v2/accounts/{id}/claims/{property}', {
          signal,
          params: {
            path: { id: account, property },
            query: { as_of, known_at, limit: PAGE_STATEMENTS, cursor },
          },
        }),
      ),
    next: page => page.next_cursor,
  });
  const first = pages.data?.pages[0];
  const evidence = useMemo(
    () => first && { ...first, statements: pages.data?.pages.flatMap(({ statements }) => statements) ?? [] },
    [first, pages.data],
  );
  if (pages.error) {
    return (
      <div className="p-5">
        <ProblemNote error={pages.error} onRetry={() => void pages.refetch()} />
      </div>
    );
  }
  if (!evidence) return <Skeleton rows={8} />;
  return (
    <Evidence
      evidence={evidence}
      account={account}
      name={name}
      now={as_of === undefined ? openedAt : Date.parse(as_of)}
      isNow={as_of === undefined && known_at === undefined}
      onMore={pages.hasNextPage ? () => void pages.fetchNextPage() : undefined}
    />
  );
}

function Evidence({
  evidence,
  account,
  name,
  now,
  isNow,
  onMore,
}: {
  evidence: ClaimEvidence;
  account: string;
  name: string;
  now: number;
  isNow: boolean;
  onMore: (() => void) | undefined;
}) {
  const { claim, why, series } = evidence;
  const axis = useMemo(() => toAxis(evidence, now), [evidence, now]);
  const sides = useMemo(() => toSides(evidence.statements), [evidence.statements]);
  const isEnded = claim.status === 'ended';
  const value = isEnded ? toText(evidence.periods[0]?.value) || w.class.ended : toText(claim.value);
  return (
    <section aria-label={`${w.account.evidence}: ${toLabel(claim.property)}`} className="space-y-6 p-5">
      <header className="space-y-2">
        <p className="text-xs text-quiet">{toLabel(claim.property)}</p>
        <h2
          className={cn(
            'text-xl leading-7 font-semibold break-words',
            INK[claim.freshness],
            isEnded && 'line-through decoration-1',
          )}
        >
          {value}
        </h2>
        <dl className="flex flex-wrap items-center gap-x-5 gap-y-1 text-xs">
          <Fact name={w.evidence.howSure}>
            <ConfidenceBar value={claim.confidence} />
            <span className="num">{claim.confidence.toFixed(2)}</span>
          </Fact>
          <Fact name={w.evidence.howKnown}>
            <ClassGlyph kind={claim.epistemic_class} silent />
            {w.class[claim.epistemic_class]}
          </Fact>
          <Fact name={w.evidence.howFresh}>
            <span title={exactTime(claim.last_observed_at)}>
              {w.evidence.confirmed(w.freshness[claim.freshness], ago(claim.last_observed_at, now))}
            </span>
          </Fact>
        </dl>
      </header>
      <Reason evidence={evidence} text={why.text}>
        <Actions evidence={evidence} account={account} name={name} isNow={isNow} />
      </Reason>
      <div className="space-y-2">
        <h3 className="font-semibold">{w.evidence.overTime}</h3>
        <EvidenceAxis axis={axis} />
        <SeriesPlot series={series} axis={axis} />
      </div>
      <div className="grid gap-x-5 gap-y-6 sm:grid-cols-2">
        <EvidenceSide
          title={w.evidence.for}
          tone="for"
          statements={sides.supports}
          empty={w.evidence.nothingFor}
          now={now}
        />
        <EvidenceSide
          title={w.evidence.against}
          tone="against"
          statements={sides.opposes}
          empty={w.evidence.nothingAgainst}
          now={now}
        />
      </div>
      {sides.superseded.length > 0 && (
        <EvidenceSide title={w.evidence.earlier} tone="quiet" statements={sides.superseded} empty="" now={now} />
      )}
      {onMore && (
        <Button look="quiet" onClick={onMore}>
          {w.more}
        </Button>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="sr-only">{name}</dt>
      <dd className="flex items-center gap-1.5">{children}</dd>
    </div>
  );
}

function Reason({
  evidence: { claim },
  text,
  children,
}: {
  evidence: ClaimEvidence;
  text: string;
  children: ReactNode;
}) {
  const safe = isSafe(claim);
  const Icon = safe ? ShieldCheck : TriangleAlert;
  return (
    <div
      className={cn(
        'space-y-2.5 rounded-md border px-3.5 py-3',
        safe ? 'border-for/30 bg-for-soft' : 'border-against/30 bg-against-soft',
      )}
    >
      <p className={cn('flex items-center gap-2 font-semibold', safe ? 'text-for' : 'text-against')}>
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        {safe ? w.evidence.actOn : w.evidence.checkFirst}
      </p>
      <p className="break-words">{text}</p>
      {children}
    </div>
  );
}

function Actions({
  evidence,
  account,
  name,
  isNow,
}: {
  evidence: ClaimEvidence;
  account: string;
  name: string;
  isNow: boolean;
}) {
  const { claim } = evidence;
  const [isCorrecting, setCorrecting] = useState(false);
  const mayWrite = useMay('write');
  const tell = useToast();
  const queries = useQueryClient();
  const { workspace } = useWorkspace();
  const state = useStatement(account, claim.property);
  // A list or an object is no single value that a person confirms or types.
  const isPlain = claim.value_type !== 'array' && claim.value_type !== 'object';
  const reason = mayWrite ? (isNow ? undefined : w.account.backToToday) : w.needs.write;
  const copyProof = useCallback(() => {
    const done = () => tell({ text: w.evidence.proofCopied });
    void navigator.clipboard.writeText(toProof(evidence, name)).then(done, done);
  }, [evidence, name, tell]);
  const { mutate: keep, isPending: isStating } = state;
  const mayKeep = reason === undefined && claim.status === 'current' && isPlain && !isStating;
  const mayCorrect = reason === undefined && claim.value_type !== 'object';
  const shortcuts = useMemo(
    () => ({
      c: copyProof,
      ...(mayKeep && { y: () => keep(claim.value) }),
      ...(mayCorrect && { v: () => setCorrecting(true) }),
    }),
    [claim.value, copyProof, keep, mayCorrect, mayKeep],
  );
  useShortcuts(shortcuts);
  return (
    <div className="flex flex-wrap gap-2">
      {claim.status === 'current' && isPlain && (
        <Button
          reason={reason}
          title={w.evidence.keepHint}
          disabled={state.isPending}
          onClick={() => state.mutate(claim.value)}
        >
          <Check className="size-3.5" aria-hidden="true" />
          {w.evidence.keep}
        </Button>
      )}
      {claim.value_type !== 'object' && (
        <Button reason={reason} onClick={() => setCorrecting(true)}>
          <PenLine className="size-3.5" aria-hidden="true" />
          {w.evidence.correct}
        </Button>
      )}
      <Button onClick={copyProof}>
        <ClipboardCopy className="size-3.5" aria-hidden="true" />
        {w.evidence.proof}
      </Button>
      {state.error && <ProblemNote error={state.error} />}
      {isCorrecting && (
        <CorrectionDialog
          account={account}
          claim={claim}
          onClose={() => {
            setCorrecting(false);
            void queries.invalidateQueries({ queryKey: [workspace.id] });
          }}
        />
      )}
    </div>
  );
}
