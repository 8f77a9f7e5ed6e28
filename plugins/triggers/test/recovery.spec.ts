import { type Delivery, deliveryId } from '../src/delivery.js';
import { saveDeliveries } from '../src/delivery-store.js';
import { ADA, type LoggedDelivery, TriggersHarness } from './triggers.harness.js';

const stage = new TriggersHarness();
const { setTrigger, reply, stateOf, log } = stage;

interface Recovered {
  readonly recovered: number;
  readonly next_since: string | null;
}

describe('a trigger', () => {
  it('that answers 410 is disabled, and what failed is recovered when it is active again', async () => {
    const trigger = await setTrigger();
    stage.hub.http.expect('POST', '/hooks').reply(410);
    await reply('r-1');
    await stage.hub.drain();
    expect(await stateOf(trigger)).toMatchObject({ state: 'disabled', active: false });
    expect(stage.hub.events.published).toMatchObject([{ type: 'triggers.disabled', payload: { reason: 'gone' } }]);
    await reply('r-2');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(1);
    const params = { id: trigger.id };
    const since = { since: '2026-01-01T00:00:00Z' };
    expect(await stage.hub.route('recover', { params, body: since })).toMatchObject({ status: 409 });
    await stage.hub.route('change', { params, body: { active: true } });
    stage.hub.http.serve(() => ({ status: 200 }));
    expect(await stage.hub.route('recover', { params, body: since })).toMatchObject({ body: { recovered: 2 } });
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(3);
    expect((await log(trigger)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it('that is disabled sends nothing again until it is active', async () => {
    const trigger = await setTrigger();
    stage.hub.http.expect('POST', '/hooks').reply(410);
    await reply('r-1');
    await stage.hub.drain();
    const [{ id: delivery }] = (await log(trigger)) as [LoggedDelivery];
    const again = () => stage.hub.route('retry', { params: { id: trigger.id, delivery } });
    expect(await again()).toMatchObject({ status: 409, body: { error: 'trigger_disabled' } });
    await stage.hub.route('change', { params: { id: trigger.id }, body: { active: true } });
    stage.hub.http.expect('POST', '/hooks').reply(204);
    expect(await again()).toMatchObject({ status: 202 });
    await stage.hub.drain();
    expect(await log(trigger)).toMatchObject([{ state: 'delivered' }]);
  });

  it('recovers what failed behind however much was delivered, in as many calls as it takes', async () => {
    const trigger = await setTrigger();
    const landed = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    const ended = Array.from({ length: 2_001 }, (_, n): Delivery => {
      const [id, now] = [deliveryId(landed(n), `o${n}`), landed(n)];
      const usual = { message_id: `m${n}`, event: 'reply.received', entity_id: ADA, body: '{}', attempts: [] };
      return { ...usual, id, state: n < 2_000 ? 'delivered' : 'failed', failures: 0, next_at: now, created_at: now };
    });
    for (let n = 0; n < ended.length; n += 400)
      await saveDeliveries(stage.hub.store, trigger.id, ended.slice(n, n + 400));
    const recover = async (since: string) =>
      (await stage.hub.route('recover', { params: { id: trigger.id }, body: { since } })).body as unknown as Recovered;
    const first = await recover(landed(0));
    expect(first).toMatchObject({ recovered: 0, has_more: true, next_since: landed(1_999) });
    expect(await recover(first.next_since!)).toMatchObject({ recovered: 1, has_more: false, next_since: null });
  });

  it.each(['5', 'Monday 5', '2026-13-45', 'yesterday', '+275760-09-13T00:00:00Z', ''])(
    'recovers since a time alone: %s is none',
    async since => {
      const { id } = await setTrigger();
      const { status, body } = await stage.hub.route('recover', { params: { id }, body: { since } });
      expect([status, body]).toMatchObject([
        400,
        { detail: expect.stringMatching(/^since must be an ISO 8601 time such/) },
      ]);
    },
  );
});
