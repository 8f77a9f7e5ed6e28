import type { Home } from '../support/process/cli.js';
import type { Client, TestHub } from '../support/hub.js';

/** Where the cases of one suite take place; filled in before they run. */
export interface Place {
  hub: TestHub;
  /** A workspace on the plan scale. */
  acme: Client;
  /** A home of each case's own, with the variables set to the hub and the key of the workspace. */
  home: Home;
}
