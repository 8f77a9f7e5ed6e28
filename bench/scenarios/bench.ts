import type { RunOptions } from '../measure.ts';
import type { Finding } from '../report/finding.ts';
import type { Postgres } from '../env/postgres.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';

/** What the measurement of a goal has at hand. */
export interface Bench {
  readonly effort: RunOptions;
  readonly postgres: Postgres;
  /** DATABASE_URL, where the run has one. */
  readonly databaseUrl: string | undefined;
  /** The hub with its database; started when it is first asked for. */
  stage(): Promise<BenchEnvironment>;
  /** Operations whose requests goal loop measures; undefined: all of them. */
  readonly operations: readonly string[] | undefined;
  /** Folder that a CPU profile of the hub is written to. */
  readonly profile: string | undefined;
  /** Observations of the large database; 0 for none. */
  readonly large: number;
}

/** Measures one goal, or a few that belong together. */
export type Measure = (bench: Bench) => Promise<Finding[]>;
