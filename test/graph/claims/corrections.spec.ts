import { account, event, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';

const ADA = 'ada@acme.com';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ ROLE: 'api' });
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterEach(() => expectClaimsConsistent(hub.database.pool, acme.workspaceId));
afterAll(() => hub?.end());

const crmSays = (property: string, value: string | boolean, day: string) =>
  record(acme, ADA, [state(property, value, { source: 'crm:hubspot', method: 'sync', observed_at: `2026-${day}` })]);
const personCorrects = (property: string, value: string | boolean, day: string) =>
  record(acme, ADA, [state(property, value, { source: 'user', method: 'correction', observed_at: `2026-${day}` })]);
const claim = async (property: string) => (await account(acme, ADA)).claims[property];

describe('a correction by a person', () => {
  it('survives the syncs that repeat the old value', async () => {
    await crmSays('title', 'CTO', '06-01');
    await personCorrects('title', 'CIO', '11-01');
    for (const night of ['11-02', '11-09', '11-16']) await crmSays('title', 'CTO', night);
    expect(await claim('title')).toMatchObject({
      value: 'CIO',
      confidence: 0.8838,
      epistemic_class: 'asserted',
      opposing: [{ source: 'crm:hubspot', value: 'CTO', why: expect.stringMatching(/no news/) }],
    });
  });

  it('gives way when the CRM states something new', async () => {
    await crmSays('title', 'CTO', '06-01');
    await personCorrects('title', 'CIO', '10-01');
    await crmSays('title', 'CEO', '11-15');
    expect(await claim('title')).toMatchObject({ value: 'CEO', confidence: 0.6144, epistemic_class: 'contested' });
  });

  it('lifts an opt-out until the contact unsubscribes again', async () => {
    const unsubscribe = (day: string) =>
      record(acme, ADA, [event('unsubscribed', { source: 'email', observed_at: `2026-${day}` })]);
    await unsubscribe('10-01');
    await crmSays('do_not_contact', true, '10-02');
    await personCorrects('do_not_contact', false, '10-03');
    await crmSays('do_not_contact', true, '10-04');
    expect(await claim('do_not_contact')).toMatchObject({ value: false });
    await unsubscribe('10-05');
    expect(await claim('do_not_contact')).toMatchObject({ value: true });
  });

  it('lifts every opt-out of an unsubscribe at once, and nobody else lifts one', async () => {
    await record(acme, ADA, [event('unsubscribed', { source: 'email', observed_at: '2026-10-01' })]);
    const others = [
      ['agent', 'assert', '10-02'],
      ['user', 'manual', '10-03'],
      ['agent', 'correction', '10-04'],
    ] as const;
    for (const [source, method, day] of others) {
      const origin = { source, method, observed_at: `2026-${day}` };
      await record(acme, ADA, [
        state('email_status', 'valid', origin),
        state('do_not_contact', false, origin),
        event('email_replied', { source: 'email', observed_at: `2026-${day}` }),
      ]);
    }
    expect(await claim('email_status')).toMatchObject({ value: 'unsubscribed' });
    expect(await claim('do_not_contact')).toMatchObject({ value: true });

    await personCorrects('do_not_contact', false, '10-05');
    expect(await claim('do_not_contact')).toMatchObject({ value: false });
    expect(await claim('email_status')).toMatchObject({ value: null });
    await record(acme, ADA, [event('email_replied', { source: 'email', observed_at: '2026-10-06' })]);
    expect(await claim('email_status')).toMatchObject({ value: 'valid' });
  });

  it('keeps the status of an address that is no opt-out', async () => {
    await crmSays('email_status', 'valid', '10-01');
    await personCorrects('do_not_contact', false, '10-02');
    expect(await claim('email_status')).toMatchObject({ value: 'valid', opposing: [] });
    expect((await account(acme, ADA)).claims).not.toHaveProperty('unsubscribed');
  });
});
