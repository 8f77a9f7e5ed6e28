import { printable, table } from '../base/lines.js';
import type { Paint } from '../base/paint.js';

/** What is read of an account's answer. */
export interface Account {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string | null;
  readonly claims: Readonly<Record<string, Claim>>;
  readonly recent_observations: readonly {
    readonly property: string;
    readonly value: unknown;
    readonly observed_at: string;
    readonly source: string;
  }[];
}

interface Claim {
  readonly value: unknown;
  readonly confidence: number;
  readonly freshness: string;
  readonly epistemic_class: string;
  readonly sources: readonly unknown[];
}

/** A name means several. */
export interface Ambiguous {
  readonly status: 'ambiguous';
  readonly candidates: readonly { readonly entity_id: string; readonly name: string; readonly detail: string }[];
}

const LONGEST_VALUE = 60;
const EVENTS = 10;
/** From here on a caller may rely on a claim that is fresh. */
const SURE = 0.7;

/** An account for people: who, the claims with what they are worth, and what happened last. */
export function linesOfAccount(
  { entity_id, type, name, claims, recent_observations: events }: Account,
  paint: Paint,
): string[] {
  const rows = Object.entries(claims).map(([property, claim]) => [
    property,
    shown(claim.value),
    claim.confidence.toFixed(2),
    claim.freshness,
    claim.epistemic_class,
    String(claim.sources.length),
    claim.freshness === 'fresh' && claim.confidence > SURE ? 'yes' : 'verify first',
  ]);
  const headings = ['CLAIM', 'VALUE', 'CONFIDENCE', 'FRESHNESS', 'EVIDENCE', 'SOURCES', 'ACT ON IT'];
  const timeline = events
    .slice(0, EVENTS)
    .map(event => [
      event.observed_at.slice(0, 16).replace('T', ' '),
      event.property,
      shown(said(event.value)),
      printable(event.source),
    ]);
  return [
    `${paint.bold(printable(name ?? 'Unnamed'))}  ${paint.dim(`${type} ${entity_id}`)}`,
    '',
    ...table(headings, rows, 'Nothing is claimed of it.'),
    '',
    ...table(['WHEN', 'WHAT', 'DETAIL', 'SOURCE'], timeline, 'Nothing was observed.'),
  ];
}

/** The candidates of a name, one line each. */
export function linesOfCandidates({ candidates }: Ambiguous): string[] {
  return candidates.map(({ entity_id, name, detail }) => [entity_id, name, detail].map(printable).join('  '));
}

/** Plugins put a sentence for people into what happened. */
function said(value: unknown): unknown {
  const { description } = (typeof value === 'object' && value !== null ? value : {}) as { description?: unknown };
  return typeof description === 'string' ? description : value;
}

function shown(value: unknown): string {
  const text = value === null ? 'ended' : printable(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}
