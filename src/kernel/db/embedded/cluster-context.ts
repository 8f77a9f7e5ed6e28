import type { Binaries } from './binaries.js';
import type { Layout } from './layout.js';
import type { OsUser } from './os-user.js';

/** Programs, paths and options for the work on a cluster. */
export interface ClusterContext {
  readonly layout: Layout;
  readonly binaries: Binaries;
  /** The account of the server; undefined for the account of this process. */
  readonly user: OsUser | undefined;
  /** Whether the data survive a crash of the machine. */
  readonly durable: boolean;
  readonly log: (message: string) => void;
  /** Called when another process works for a while and this one is idle. */
  readonly onWaiting: () => void;
}
