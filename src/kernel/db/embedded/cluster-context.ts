import type { Binaries } from './binaries.js';
import type { Layout } from './layout.js';
import type { OsUser } from './os-user.js';

/** What a cluster is worked with. */
export interface ClusterContext {
  readonly layout: Layout;
  readonly binaries: Binaries;
  /** The account that the server runs under; undefined for the own one. */
  readonly user: OsUser | undefined;
  /** Whether the data outlive a crash of the machine. */
  readonly durable: boolean;
  readonly log: (message: string) => void;
  /** Called when another process has work to do for a while. */
  readonly onWaiting: () => void;
}
