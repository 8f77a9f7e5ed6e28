/** The parts of the demo that tests look at. They are plain scripts, so their types stand here. */
declare module '*/demo/rows.mjs' {
  interface Row {
    readonly line: number;
    readonly id: string;
    readonly email: string;
    readonly facts: Readonly<Record<string, string>>;
  }
  export function rowOf(cells: Readonly<Record<string, string>>, line: number): Row;
  export function readRows(file: string | URL, limit?: number): AsyncGenerator<Row>;
  export function focusOf(row: Pick<Row, 'email'>): string;
  export function observationsOf(row: Pick<Row, 'id' | 'facts'>): Record<string, string>[];
}

declare module '*/demo/client.mjs' {
  interface Answer {
    readonly status: number;
    readonly body: Record<string, unknown>;
    readonly waits: number;
  }
  export class HubTrouble extends Error {}
  export class HubClient {
    constructor(access: { baseUrl: string; apiKey: string });
    record(focus: string, observations: readonly object[]): Promise<Answer>;
  }
  export function pauseOf(retryAfter: string | null): number;
}

declare module '*/demo/tally.mjs' {
  type Row = import('*/demo/rows.mjs').Row;
  export class Tally {
    readonly recorded: number;
    readonly repeated: number;
    readonly rejections: readonly { row: Row; status: number; reason: string }[];
    readonly failures: readonly object[];
    readonly entities: ReadonlyMap<string, readonly Row[]>;
    count(row: Row, answer: { status: number; body: object; waits: number }): void;
  }
  export function mostTalkedAbout(entities: ReadonlyMap<string, readonly Row[]>): string | undefined;
  export function nameMostUsed(rows: readonly Row[]): string;
}

declare module '*/demo/result.mjs' {
  type Tally = import('*/demo/tally.mjs').Tally;
  type Paint = (tone: string, text: string) => string;
  export function figureLines(tally: Tally, seconds: number): string[];
  export function rejectionLines(rejections: Tally['rejections'], paint: Paint, width: number): string[];
}

declare module '*/demo/account.mjs' {
  export function accountLines(account: object, paint: (tone: string, text: string) => string, width: number): string[];
}

declare module '*/demo/options.mjs' {
  export class BadUsage extends Error {}
  export function optionsOf(words: readonly string[], environment: Readonly<Record<string, string>>): object;
}

declare module '*/demo/progress.mjs' {
  export function progressLine(done: number, total: number, seconds: number, rejected: number): string;
}
