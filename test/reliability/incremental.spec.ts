import fc from 'fast-check';
import type { JsonValue } from '#domain/observation/observation.js';
import { DAY_US, toIso } from '#domain/time/instant.js';
import { logs, ORIGINS, shuffled } from '../property/claims/claims-logs.js';
import { PUBLIC_URL } from '../support/browser-session.js';
import { event, record, state } from '../support/graph/graph-calls.js';
import { startTestHub, type TestHub } from '../support/hub.js';
import { expectClaimsConsistent } from '../support/graph/expect-claims-consistent.js';
import { signInPerson } from '../support/sign-in.js';

const PEOPLE = ['ada@acme.com', 'bo@gmail.com', 'linkedin.com/in/cy', 'dee.org'];

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none', PUBLIC_URL });
});
afterAll(() => hub.end());

interface Statement {
  readonly kind: string;
  readonly property: string;
  readonly source?: unknown;
}

/** What is said of one property over time: sometimes without a time of its own, sometimes under a repeated external id. */
function facts(property: string): fc.Arbitrary<Statement[]> {
  const extras = fc.record({
    untimed: fc.constantFrom(true, ...Array(7).fill(false)),
    id: fc.constantFrom('a', 'b', ...Array(8).fill('')),
  });
  return fc.tuple(logs(property, ORIGINS), fc.array(extras, { minLength: 24, maxLength: 24 })).map(([log, more]) =>
    log
      .filter(({ observedAt }) => observedAt < Date.now() * 1000 + 300 * DAY_US)
      .map(({ value, source, method, observedAt }, i) => {
        const { untimed, id } = more[i]!;
        return state(property, value, {
          source,
          method,
          ...(!untimed && { observed_at: toIso(observedAt) }),
          ...(id && { external_id: id }),
        });
      }),
  );
}

const happenings = fc.array(
  fc
    .tuple(
      fc.constantFrom('email_sent', 'email_replied', 'email_bounced', 'unsubscribed', 'email_clicked', 'call_held'),
      fc.integer({ min: 0, max: 400 }),
      fc.constantFrom<JsonValue>(null, { type: 'soft' }, { direction: 'inbound' }),
    )
    .map(([type, day, value]) =>
      event(type, { value, observed_at: toIso(Date.UTC(2026, 0, 1) * 1000 + day * DAY_US) }),
    ),
  { maxLength: 8 },
);

/** One entity's log, shuffled and cut into batches. */
const batches = fc
  .tuple(facts('title'), facts('technologies'), facts('stage'), facts('name'), happenings)
  .chain(parts => fc.tuple(shuffled(parts.flat()), fc.infiniteStream(fc.integer({ min: 1, max: 9 }))))
  .map(([log, sizes]) => {
    const cut: Statement[][] = [];
    for (let left = log; left.length > 0; left = left.slice(cut.at(-1)!.length))
      cut.push(left.slice(0, sizes.next().value));
    return cut;
  });

const calls = fc
  .tuple(...PEOPLE.map(focus => batches.map(own => own.map(observations => ({ focus, observations })))))
  .chain(own => shuffled(own.flat()));

/** Whether a signed-in person states it, which no API key can do in their name. */
const isByPerson = ({ source }: Statement) => String(source).startsWith('person:');

it('the stored claims equal a fold of the whole log, byte for byte, for any order and batches of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.boolean(), async (all, atOnce) => {
      const workspace = await hub.workspace();
      const { browser } = await signInPerson(hub.url, workspace, `${workspace.workspaceId}@people.example`, 'member');
      const send = async ({ focus, observations }: { focus: string; observations: Statement[] }) => {
        const [own, others] = [observations.filter(isByPerson), observations.filter(each => !isByPerson(each))];
        if (others.length > 0) await record(workspace, focus, others);
        if (own.length === 0) return;
        const { status } = await browser.send('POST', '/v2/observations', { focus, observations: own });
        expect(status).toBe(200);
      };
      if (atOnce) await Promise.all(all.map(send));
      else for (const each of all) await send(each);
      await expectClaimsConsistent(hub.database.pool, workspace.workspaceId);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
