import type { ReactNode } from 'react';
import { cn } from '../ui/cn.ts';
import { w } from '../words/en.ts';
import type { EpistemicClass, Freshness } from './types.ts';

/** Ink by freshness. It is never the only sign: suspect and expired have a clock, expired is in italics. */
export const INK: Readonly<Record<Freshness, string>> = {
  fresh: 'text-fresh',
  aging: 'text-aging',
  suspect: 'text-suspect',
  expired: 'text-expired italic',
};

const STEPS = 5;

/** Draws a confidence between 0 and 1 in five steps. */
export function ConfidenceBar({ value }: { value: number }) {
  const name = `${w.confidence} ${value.toFixed(2)}`;
  return (
    <svg viewBox="0 0 24 8" className="h-2 w-6 shrink-0" role="img" aria-label={name}>
      <title>{name}</title>
      {Array.from({ length: STEPS }, (_, step) => (
        <rect
          key={step}
          x={step * 5}
          width="4"
          height="8"
          rx="1"
          className={step < Math.round(value * STEPS) ? 'fill-bar' : 'fill-bar-empty'}
        />
      ))}
    </svg>
  );
}

const GLYPHS: Readonly<Record<EpistemicClass, ReactNode>> = {
  asserted: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  observed: (
    <>
      <circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" strokeWidth="1.2" />
      <circle cx="6" cy="6" r="2" fill="currentColor" />
    </>
  ),
  reported: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.4" />,
  inferred: (
    <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.4" strokeDasharray="1.6 1.7" />
  ),
  corroborated: <path d="M6 .8 11.2 6 6 11.2.8 6Z" fill="currentColor" />,
  contested: (
    <>
      <path d="M1.6 1.6h8.8v8.8H1.6Z" fill="none" stroke="currentColor" strokeWidth="1.2" />
      <path d="M1.6 10.4 10.4 1.6v8.8Z" fill="currentColor" />
    </>
  ),
  ended: (
    <>
      <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.2" />
      <path d="M3 9 9 3" stroke="currentColor" strokeWidth="1.2" />
    </>
  ),
};

const CLASSES = Object.keys(GLYPHS) as EpistemicClass[];

function glyphInk(kind: EpistemicClass): string {
  if (kind === 'contested') return 'text-against';
  return kind === 'corroborated' ? 'text-for' : 'text-quiet';
}

/** Draws how a value is known. */
export function ClassGlyph({ kind, silent = false }: { kind: EpistemicClass; silent?: boolean }) {
  return (
    <svg
      viewBox="0 0 12 12"
      className={cn('size-3 shrink-0', glyphInk(kind))}
      role={silent ? undefined : 'img'}
      aria-hidden={silent}
      aria-label={silent ? undefined : w.class[kind]}
    >
      {!silent && <title>{w.class[kind]}</title>}
      {GLYPHS[kind]}
    </svg>
  );
}

/** Marks a value that is suspect or expired. */
export function ClockMark() {
  return (
    <svg viewBox="0 0 12 12" className="size-2.5 shrink-0 self-center" aria-hidden="true">
      <circle cx="6" cy="6" r="4.8" fill="none" stroke="currentColor" />
      <path d="M6 3.2V6l2 1.2" fill="none" stroke="currentColor" />
    </svg>
  );
}

/** Stands for a value that nobody has stated: an open ring with the word. */
export function Unknown() {
  return (
    <span className="inline-flex items-center gap-1.5 text-expired">
      <svg viewBox="0 0 12 12" className="size-2.5" aria-hidden="true">
        <circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" strokeDasharray="2 1.6" />
      </svg>
      {w.unknown}
    </span>
  );
}

/** Explains the marks. */
export function Legend() {
  return (
    <footer
      aria-label={w.legend}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line bg-paper px-4 py-2 text-xs text-quiet"
    >
      {CLASSES.map(kind => (
        <span key={kind} className="inline-flex items-center gap-1.5">
          <ClassGlyph kind={kind} silent />
          {w.class[kind]}
        </span>
      ))}
      <span className="ml-auto inline-flex items-center gap-3">
        <span className={INK.fresh}>{w.freshness.fresh}</span>
        <span className={INK.aging}>{w.freshness.aging}</span>
        <span className={cn(INK.suspect, 'inline-flex gap-1')}>
          {w.freshness.suspect} <ClockMark />
        </span>
        <span className={cn(INK.expired, 'inline-flex gap-1')}>
          {w.freshness.expired} <ClockMark />
        </span>
      </span>
    </footer>
  );
}
