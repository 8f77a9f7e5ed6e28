import { startTestHub, type TestHub } from '../support/hub.js';
import { type Document, documentAt, type Operation, operationsIn } from '../support/open-api.js';

/** A hub, what it says of itself, and the operations that this names. */
export interface Described {
  readonly hub: TestHub;
  readonly document: Document;
  readonly operations: Operation[];
}

/** Has the tests of the calling suite share a hub, which ends with them. @param take is told before the first test */
export function documentForSuite(take: (own: Described) => void): void {
  let hub: TestHub | undefined;
  beforeAll(async () => {
    hub = await startTestHub();
    const document = await documentAt(hub.url);
    take({ hub, document, operations: operationsIn(document) });
  });
  afterAll(() => hub?.end());
}
