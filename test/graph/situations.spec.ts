import { startTestHub, type TestHub } from '../support/hub.js';
import { isAnsweredRight, readSituations } from '../support/graph/situations.js';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.end());

/**
 * Situations that are answered wrong: a figure that doubled within days is not doubted, and a status of an address is
 * kept for the person.
 */
const WRONG = ['headcounts-differ', 'dead-address', 'bounce-of-old-address'];

it('the verdict on every sales situation is right, except on those that are listed', async () => {
  const acme = await hub.workspace();
  const wrong: string[] = [];
  for (const situation of readSituations())
    if (!(await isAnsweredRight((path, body) => acme.post(path, body), situation))) wrong.push(situation.id);
  expect(wrong).toEqual(WRONG);
});
