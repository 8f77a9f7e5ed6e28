import fc from 'fast-check';
import { settleCommits } from '../../support/database/commit-order.js';
import { account } from '../../support/graph/graph-calls.js';
import type { Client } from '../../support/hub.js';
import { connectCrm, runSync, setUpCrm } from './crm-client.ts';

const CONTACTS = 4;
const FIELDS = { jobtitle: 'title', city: 'city' } as const;
const VALUES = { jobtitle: ['CFO', 'Head of Sales', 'Lawyer'], city: ['Berlin', 'Paris', 'Rome'] } as const;
type Field = keyof typeof FIELDS;

const stage = setUpCrm();

/** What happens on either side. */
type Act =
  | { readonly kind: 'crm' | 'user'; readonly contact: number; readonly field: Field; readonly value: number }
  | { readonly kind: 'sync' | 'lost reply' | 'unavailable' };

const contact = fc.nat({ max: CONTACTS - 1 });
const edit = fc.record({
  kind: fc.constantFrom('crm', 'user'),
  contact,
  field: fc.constantFrom<Field>('jobtitle', 'city'),
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
const listWrites = () => stage.hubspot.asked.filter(({ path }) => /batch\/(?:update|upsert)$/.test(path));

function editCrm(n: number, properties: Record<string, string>, skewMs: number): void {
  stage.hubspot.put('contacts', String(500 + n), properties, new Date(Date.now() + skewMs).toISOString());
}

async function perform(client: Client, act: Act, skewMs: number): Promise<void> {
  switch (act.kind) {
    case 'crm':
      return editCrm(act.contact, { [act.field]: VALUES[act.field][act.value]! }, skewMs);
    case 'user': {
      const value = VALUES[act.field][act.value]!;
      const statement = { kind: 'state', property: FIELDS[act.field], value, source: 'user', method: 'correction' };
      await client.post('/v2/observations', { focus: emailOf(act.contact), observations: [statement] });
      return;
    }
    case 'lost reply':
      stage.hubspot.lostReplies = 1;
      return;
    case 'unavailable':
      stage.hubspot.faults.push({ status: 503, body: {} });
      return;
    case 'sync':
      await settleCommits(stage.hub);
      expect(await runSync(client)).toMatchObject({ status: 'finished', error: null });
  }
}

interface CheckedClaim {
  readonly value: unknown;
  readonly confidence: number;
  readonly epistemic_class: string;
}

it('two sides that are edited at random agree after a sync, and a further one changes nothing', async () => {
  const converges = fc.asyncProperty(
    fc.array(acts, { minLength: 5, maxLength: 20 }),
    skews,
    async (history, skewMs) => {
      const client = await stage.hub.workspace();
      stage.hubspot.reset();
      stage.hubspot.faults.length = 0;
      stage.hubspot.lostReplies = 0;
      for (let n = 0; n < CONTACTS; n++)
        editCrm(n, { email: emailOf(n), firstname: `Con ${n}`, jobtitle: 'CFO' }, skewMs);
      await connectCrm(client, stage.hubspot, { direction: 'both', objects: ['contacts'] });
      const performed: readonly Act[] = [{ kind: 'sync' }, ...history, { kind: 'sync' }, { kind: 'sync' }];
      for (const act of performed) await perform(client, act, skewMs);
      for (let n = 0; n < CONTACTS; n++) {
        const claims = (await account(client, emailOf(n))).claims as Record<string, CheckedClaim | undefined>;
        const record = stage.hubspot.records['contacts']!.get(String(500 + n))!.properties;
        for (const [field, property] of Object.entries(FIELDS)) {
          const claim = claims[property];
          // What is contested is not written; a person decides.
          const isUnsafe = claim && (claim.epistemic_class === 'contested' || claim.confidence <= 0.7);
          if (!isUnsafe) expect([n, field, record[field] ?? null]).toEqual([n, field, claim?.value ?? null]);
        }
      }
      const writes = listWrites().length;
      const { result } = await runSync(client);
      expect(result).toMatchObject({
        counts: { contacts: { created: 0, updated: 0 } },
        push: { created: 0, updated: 0 },
      });
      expect(listWrites()).toHaveLength(writes);
    },
  );
  await fc.assert(converges, { numRuns: 5, endOnFailure: true });
});
