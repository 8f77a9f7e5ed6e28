import fc from 'fast-check';
import { settleCommits } from '../../support/database/commit-order.js';
import { account } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import type { FakeCrm } from '../../fakes/crm/fake-crm.ts';
import { FakeAttio } from '../../fakes/attio/server.ts';
import { FakeHubspot } from '../../fakes/hubspot/server.ts';
import { FakePipedrive } from '../../fakes/pipedrive/server.ts';
import { connectCrm, PLUGINS_DIR, runSync } from './crm-client.ts';

const CONTACTS = 4;
const VALUES = {
  title: ['CFO', 'Head of Sales', 'Lawyer'],
  phone: ['+4930901820', '+33142685300', '+390645213881'],
} as const;
type Property = keyof typeof VALUES;
const PROPERTIES = Object.keys(VALUES) as Property[];
const PROVIDERS: readonly [name: string, fake: FakeCrm][] = [
  ['Attio', new FakeAttio()],
  ['HubSpot', new FakeHubspot()],
  ['Pipedrive', new FakePipedrive()],
];

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR, EGRESS_ALLOWLIST: '127.0.0.1' });
});

afterAll(() => hub?.end());

/** What happens on either side. */
type Act =
  | { readonly kind: 'crm' | 'user'; readonly contact: number; readonly property: Property; readonly value: number }
  | { readonly kind: 'sync' | 'lost reply' | 'unavailable' };

const contact = fc.nat({ max: CONTACTS - 1 });
const edit = fc.record({
  kind: fc.constantFrom('crm', 'user'),
  contact,
  property: fc.constantFrom(...PROPERTIES),
  value: fc.nat({ max: 2 }),
});
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: edit as fc.Arbitrary<Act> },
  { weight: 2, arbitrary: fc.constant({ kind: 'sync' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'lost reply' as const }, { kind: 'unavailable' as const }) },
);
/** How far the clock of the CRM is off. */
const skews = fc.constantFrom(-300_000, 0, 300_000);

const emailOf = (n: number) => `c${n}@converge.example`;

/** A CRM and the hub's side of it, with a clock that is off. */
interface Side {
  readonly crm: FakeCrm;
  readonly client: Client;
  readonly skewMs: number;
}

function editCrm({ crm, skewMs }: Side, n: number, fields: Parameters<FakeCrm['putContact']>[1]): void {
  crm.putContact(String(500 + n), fields, new Date(Date.now() + skewMs).toISOString());
}

async function perform(side: Side, act: Act): Promise<void> {
  const { crm, client } = side;
  switch (act.kind) {
    case 'crm':
      return editCrm(side, act.contact, { [act.property]: VALUES[act.property][act.value]! });
    case 'user': {
      const { property } = act;
      const value = VALUES[property][act.value]!;
      const statement = { kind: 'state', property, value, source: 'user', method: 'correction' };
      await client.post('/v2/observations', { focus: emailOf(act.contact), observations: [statement] });
      return;
    }
    case 'lost reply':
      crm.lostReplies = 1;
      return;
    case 'unavailable':
      crm.faults.push({ status: 503, body: {} });
      return;
    case 'sync':
      await settleCommits(hub);
      expect(await runSync(client)).toMatchObject({ status: 'finished', error: null });
  }
}

interface CheckedClaim {
  readonly value: unknown;
  readonly confidence: number;
  readonly epistemic_class: string;
}

describe.each(PROVIDERS)('%s and the graph', (_name, crm) => {
  beforeAll(() => crm.listen());
  afterAll(() => crm.close());

  it('agree after a sync, edited at random on both sides, and a further one changes nothing', async () => {
    const converges = fc.asyncProperty(
      fc.array(acts, { minLength: 5, maxLength: 20 }),
      skews,
      async (history, skewMs) => {
        const client = await hub.workspace();
        const side = { crm, client, skewMs };
        crm.reset();
        for (let n = 0; n < CONTACTS; n++) editCrm(side, n, { email: emailOf(n), name: `Con ${n}`, title: 'CFO' });
        await connectCrm(client, crm, { direction: 'both', objects: ['contacts'] });
        const performed: readonly Act[] = [{ kind: 'sync' }, ...history, { kind: 'sync' }, { kind: 'sync' }];
        for (const act of performed) await perform(side, act);
        for (let n = 0; n < CONTACTS; n++) {
          const claims = (await account(client, emailOf(n))).claims as Record<string, CheckedClaim | undefined>;
          const values = crm.contactOf(String(500 + n))!;
          for (const property of PROPERTIES) {
            const claim = claims[property];
            // What is contested is not written; a person decides.
            const isUnsafe = claim && (claim.epistemic_class === 'contested' || claim.confidence <= 0.7);
            if (!isUnsafe) expect([n, property, values[property]]).toEqual([n, property, claim?.value ?? null]);
          }
        }
        const writes = crm.writes.length;
        const { result } = await runSync(client);
        expect(result).toMatchObject({
          counts: { contacts: { created: 0, updated: 0 } },
          push: { created: 0, updated: 0 },
        });
        expect(crm.writes).toHaveLength(writes);
      },
    );
    await fc.assert(converges, { numRuns: 2, endOnFailure: true });
  });
});
