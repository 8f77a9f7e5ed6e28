import { type Client, startTestHub, type TestHub } from './hub.js';

/**
 * Has the tests of the calling suite share a hub, which ends with them, and gives each of them a workspace of its own.
 * @param made is told the client of the workspace before each test
 * @param started is told the hub before the first test
 */
export function hubForSuite(made: (client: Client) => void, started: (hub: TestHub) => void = () => undefined): void {
  let hub: TestHub | undefined;
  beforeAll(async () => {
    hub = await startTestHub();
    started(hub);
  });
  beforeEach(async () => made(await hub!.workspace()));
  afterAll(() => hub?.end());
}
