import { toPrintable, formatTableLines, type Colors } from '../base/terminal.js';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError, EXIT } from '../base/errors.js';

/** The parts of an account response that are printed. */
export interface ApiAccount {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string | null;
  readonly claims: Readonly<Record<string, ApiClaim>>;
  readonly recent_observations: readonly {
    readonly property: string;
    readonly value: unknown;
    readonly observed_at: string;
    readonly source: string;
  }[];
}

interface ApiClaim {
  readonly value: unknown;
  readonly confidence: number;
  readonly freshness: string;
  readonly epistemic_class: string;
  readonly sources: readonly unknown[];
}

/** Response for an ambiguous name. */
export interface ApiAmbiguousName {
  readonly status: 'ambiguous';
  readonly candidates: readonly {
    readonly entity_id: string;
    readonly name: string;
    readonly detail: string;
    readonly matched_on: string;
  }[];
}

const MAX_VALUE_LENGTH = 60;
const MAX_EVENTS = 10;
/** A claim above this confidence is safe to act on, if nothing else speaks against it. */
const MIN_SAFE_CONFIDENCE = 0.7;
/** Classes of claims that are never safe to act on. */
const UNSAFE_CLASSES: ReadonlySet<string> = new Set(['ended', 'contested', 'inferred']);

/** Formats an account: name, claims with their quality, and latest events. */
export function formatAccount(
  { entity_id, type, name, claims, recent_observations: events }: ApiAccount,
  paint: Colors,
): string[] {
  const rows = Object.entries(claims).map(([property, claim]) => [
    property,
    formatValue(claim.value),
    claim.confidence.toFixed(2),
    claim.freshness,
    claim.epistemic_class,
    String(claim.sources.length),
    isSafe(claim) ? 'yes' : 'verify first',
  ]);
  const headings = ['CLAIM', 'VALUE', 'CONFIDENCE', 'FRESHNESS', 'EVIDENCE', 'SOURCES', 'ACT ON IT'];
  const timeline = events
    .slice(0, MAX_EVENTS)
    .map(event => [
      event.observed_at.slice(0, 16).replace('T', ' '),
      event.property,
      formatValue(describeValue(event.value)),
      toPrintable(event.source),
    ]);
  return [
    `${paint.bold(toPrintable(name ?? 'Unnamed'))}  ${paint.dim(`${type} ${entity_id}`)}`,
    '',
    ...formatTableLines(headings, rows, 'There are no claims.'),
    '',
    ...formatTableLines(['WHEN', 'WHAT', 'DETAIL', 'SOURCE'], timeline, 'There are no events.'),
  ];
}

function isSafe({ freshness, confidence, epistemic_class }: ApiClaim): boolean {
  return freshness === 'fresh' && confidence > MIN_SAFE_CONFIDENCE && !UNSAFE_CLASSES.has(epistemic_class);
}

/** Formats the candidates of a name, one line each, and the command to go on with. */
export function formatCandidates({ candidates }: ApiAmbiguousName): string[] {
  const lines = candidates.map(({ entity_id, name, detail, matched_on }) =>
    [entity_id, name, detail, ...(matched_on === 'exact' ? [] : [`(${matched_on})`])].map(toPrintable).join('  '),
  );
  return [...lines, `Next: rapport account ${candidates[0]?.entity_id ?? '<ID>'}`];
}

/** Says why a name means no single entity. */
export function explainAmbiguity(name: string, { candidates }: ApiAmbiguousName): string {
  return candidates.every(({ matched_on }) => matched_on === 'exact')
    ? `"${name}" matches more than one entity. Use an ID:`
    : `No entity is named exactly "${name}". It may be one of these; use an ID:`;
}

/** Returns the readable description that plugins add to events, otherwise the value. */
function describeValue(value: unknown): unknown {
  const { description } = (typeof value === 'object' && value !== null ? value : {}) as { description?: unknown };
  return typeof description === 'string' ? description : value;
}

function formatValue(value: unknown): string {
  const text = value === null ? 'ended' : toPrintable(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}

interface AccountOptions {
  readonly asOf?: string;
  readonly knownAt?: string;
  readonly company?: string;
}

/** `account` */
export const addAccountCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'account',
    summary: 'show what is known about a person or company, with confidence',
    examples: [
      'rapport account ada@acme.com',
      'rapport account "Ada Lovelace" --company acme.com',
      'rapport account acme.com --as-of 2026-01-01',
      `rapport account ada@acme.com --json | jq '.claims.title'`,
    ],
  })
    .argument('<entity>', 'ID, e-mail address, domain, LinkedIn URL or name')
    .option('--company <company>', 'name or domain of the company, to resolve an ambiguous name')
    .option('--as-of <time>', 'show the state at this time, ISO 8601')
    .option('--known-at <time>', 'use only observations recorded by this time, ISO 8601')
    .action(
      action(terminal, holder, async (context, name: string, { asOf, knownAt, company }: AccountOptions) => {
        const hub = await context.client();
        const query = { as_of: asOf, known_at: knownAt, company };
        const response = await hub.call<ApiAccount | ApiAmbiguousName>(
          'GET',
          `/v2/accounts/${encodeURIComponent(name)}`,
          {
            query,
          },
        );
        if (isAmbiguous(response)) {
          if (context.json) return context.print(response, [], EXIT.ambiguous);
          throw new CliError(EXIT.ambiguous, 'ambiguous', explainAmbiguity(name, response), {
            details: formatCandidates(response).map(message => ({ message })),
          });
        }
        context.print(response, formatAccount(response, context.colors));
      }),
    );
};

function isAmbiguous(response: ApiAccount | ApiAmbiguousName): response is ApiAmbiguousName {
  return 'status' in response && response.status === 'ambiguous';
}
