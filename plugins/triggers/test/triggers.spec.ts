import { conformance } from '@rapport/plugin-sdk/testing';
import fixtures from '../src/fixtures.js';
import manifest from '../src/manifest.js';
import { RETRY_SCHEDULE } from '../src/retry-schedule.js';
import { TriggersPlugin } from '../src/triggers.plugin.js';
import { ADA, type LoggedDelivery, type Trigger, TriggersHarness, URL } from './triggers.harness.js';

const stage = new TriggersHarness();
const { setTrigger, reply, log } = stage;

describe('a trigger', () => {
  it('receives each event once, with its ID, time and signature', async () => {
    const trigger = await setTrigger();
    stage.hub.http.expect('POST', '/hooks').reply(204);
    await reply('r-1');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(1);
    expect(stage.hub.http.sent[0]!.headers).toMatchObject({
      'webhook-id': 'msg_observation1',
      'webhook-timestamp': String(stage.hub.clock.now().getTime() / 1000),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
    expect(await log(trigger)).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
  });

  it('hears of what passes its filter alone', async () => {
    await setTrigger({ filter: { claims: { title: { contains: 'vp' } } } });
    await reply('r-1');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(0);
    await stage.hub.graph.record(ADA, [{ kind: 'state', property: 'title', value: 'VP Sales' }]);
    stage.hub.http.expect('POST', '/hooks').reply(200);
    await reply('r-2');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(1);
  });

  it('takes in a filter any name of a property, and one condition for it', async () => {
    stage.hub.graph.aliases.set('job_title', 'title');
    await setTrigger({ filter: { claims: { job_title: { contains: 'vp' } }, entity_type: 'person' } });
    await stage.hub.graph.record(ADA, [{ kind: 'state', property: 'title', value: 'VP Sales' }]);
    stage.hub.http.expect('POST', '/hooks').reply(200);
    await reply('r-1');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(1);
    const both = { claims: { job_title: { contains: 'vp' }, title: { ne: 'CEO' } } };
    const body = { url: URL, events: ['reply.received'], filter: both };
    const refused = await stage.hub.route('create', { body });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_filter' } });
  });

  it('hears of no past that was imported', async () => {
    await setTrigger();
    await reply('r-1', ADA, 'import');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(0);
  });

  it('is tried again by the schedule, and given up after the last try', async () => {
    const trigger = await setTrigger();
    stage.hub.http.serve(() => ({ status: 500, body: 'no' }));
    await reply('r-1');
    await stage.hub.drain();
    for (const pause of RETRY_SCHEDULE.slice(1)) {
      await stage.hub.clock.advance(Math.ceil(pause * 1.2) + 1_800_000);
    }
    expect(stage.hub.http.sent).toHaveLength(RETRY_SCHEDULE.length);
    expect(new Set(stage.hub.http.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(stage.hub.http.sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(
      RETRY_SCHEDULE.length,
    );
    expect(await log(trigger)).toMatchObject([{ state: 'failed' }]);
  });

  it('keeps what comes after in its order until the first is through', async () => {
    await setTrigger();
    stage.hub.http.expect('POST', '/hooks').reply(500);
    await reply('first');
    await reply('second');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(1);
    stage.hub.http.serve(() => ({ status: 200 }));
    await stage.hub.clock.advance(10_000);
    expect(stage.hub.http.sent.map(({ headers }) => headers['webhook-id'])).toEqual([
      'msg_observation1',
      'msg_observation1',
      'msg_observation2',
    ]);
  });

  it('plans first what landed first, also when its event comes later', async () => {
    await setTrigger();
    stage.hub.http.serve(() => ({ status: 200 }));
    const { entity_id } = await stage.hub.graph.record(ADA, [
      { kind: 'event', property: 'interaction.email_replied', external_id: 'first' },
      { kind: 'event', property: 'interaction.email_replied', external_id: 'second' },
    ]);
    const received = (n: number) => ({ entity_id, observation_id: `observation-${n}`, property: 'x' });
    await stage.hub.event('reply.received', received(2));
    await stage.hub.drain();
    await stage.hub.event('reply.received', received(1));
    await stage.hub.drain();
    expect(stage.hub.http.sent.map(({ headers }) => headers['webhook-id'])).toEqual([
      'msg_observation1',
      'msg_observation2',
    ]);
  });

  it('waits as the receiver asks', async () => {
    await setTrigger();
    stage.hub.http.expect('POST', '/hooks').reply(429, null, { 'retry-after': '600' });
    await reply('r-1');
    await stage.hub.drain();
    await stage.hub.clock.advance(599_000);
    expect(stage.hub.http.sent).toHaveLength(1);
    stage.hub.http.serve(() => ({ status: 200 }));
    await stage.hub.clock.advance(2_000);
    expect(stage.hub.http.sent).toHaveLength(2);
  });

  it('shows an answer and a payload that end where a sign of two halves would be cut', async () => {
    const trigger = await setTrigger({ events: ['reply.received'] });
    await stage.hub.graph.record(ADA, [{ kind: 'state', property: 'name', value: `${'a'.repeat(299)}😀` }]);
    stage.hub.http.expect('POST', '/hooks').reply(500, `${'b'.repeat(999)}😀`);
    await reply(`${'c'.repeat(2_000)}`);
    await stage.hub.drain();
    const [delivery] = (await log(trigger)) as [LoggedDelivery];
    expect(delivery.attempts[0]!.response).toHaveLength(999);
    expect(JSON.stringify(delivery)).not.toMatch(/\\ud[89a-f]/i);
    expect(stage.hub.http.sent[0]!.body).not.toMatch(/\\ud[89a-f]/i);
  });

  it('is one of fifty, also when many are set at once, and none that was set is passed over', async () => {
    const body = { url: URL, events: ['reply.received'] };
    const answers = await Promise.all(Array.from({ length: 80 }, () => stage.hub.route('create', { body })));
    const made = answers.filter(({ status }) => status === 201);
    const { triggers } = (await stage.hub.route('list')).body as unknown as { triggers: Trigger[] };
    expect(made.length).toBeLessThanOrEqual(50);
    expect(triggers).toHaveLength(made.length);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      body: { error: 'too_many_triggers' },
    });
  });

  it('keeps what lands while it is paused', async () => {
    const trigger = await setTrigger();
    await stage.hub.route('change', { params: { id: trigger.id }, body: { active: false } });
    await reply('r-1');
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(0);
    stage.hub.http.serve(() => ({ status: 200 }));
    await stage.hub.route('change', { params: { id: trigger.id }, body: { active: true } });
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(1);
  });

  it('signs with two secrets while it is given a new one', async () => {
    const trigger = await setTrigger();
    stage.hub.http.serve(() => ({ status: 200 }));
    await stage.hub.route('rotate', { params: { id: trigger.id }, body: { overlap_hours: 1 } });
    await stage.hub.route('test', { params: { id: trigger.id } });
    await stage.hub.clock.advance('2h');
    await stage.hub.route('test', { params: { id: trigger.id } });
    const signatures = stage.hub.http.sent.map(({ headers }) => headers['webhook-signature']!.split(' ').length);
    expect(signatures).toEqual([2, 1]);
  });

  it('is refused with a sentence', async () => {
    const refused = async (body: object) =>
      (await stage.hub.route('create', { body: { url: URL, events: ['reply.received'], ...body } as never })).body;
    expect(await refused({ url: 'ftp://example.org' })).toMatchObject({ error: 'invalid_url' });
    expect(await refused({ events: ['reply.sent'] })).toMatchObject({ error: 'unknown_event:reply.sent' });
    expect(await refused({ headers: { Host: 'x' } })).toMatchObject({ error: 'invalid_headers' });
    expect(await refused({ events: ['interaction.email_received'] })).toMatchObject({
      trigger: { events: ['reply.received'] },
    });
  });

  it('remembers what was sent for thirty days', async () => {
    const trigger = await setTrigger();
    stage.hub.http.expect('POST', '/hooks').reply(204);
    await reply('r-1');
    await stage.hub.drain();
    await stage.hub.clock.advance('29d');
    expect(await log(trigger)).toMatchObject([{ state: 'delivered' }]);
    await stage.hub.clock.advance('2d');
    expect(await log(trigger)).toEqual([]);
  });

  it('leaves nothing behind when it is deleted', async () => {
    const trigger = await setTrigger();
    stage.hub.http.expect('POST', '/hooks').reply(500);
    await reply('r-1');
    await stage.hub.drain();
    await stage.hub.route('remove', { params: { id: trigger.id } });
    await stage.hub.drain();
    expect(Object.keys(stage.hub.store.entries())).toEqual(['told:observation-1']);
  });

  it('shows no secret but once, and none in the log', async () => {
    const trigger = await setTrigger({ headers: { authorization: 'Bearer s3cr3t-token' } });
    stage.hub.http.expect('POST', '/hooks').reply(500, 'you sent Bearer s3cr3t-token');
    await reply('r-1');
    await stage.hub.drain();
    const seen = JSON.stringify([await stage.hub.route('list'), await log(trigger), stage.hub.logs]);
    expect(seen).not.toContain('s3cr3t');
    expect(seen).not.toContain(trigger.secret);
    expect(seen).toContain('you sent [hidden]');
  });
});

describe('the contract', () => {
  for (const check of conformance(TriggersPlugin, manifest, fixtures)) it(check.name, check.run);
});

describe('a trigger for failed runs', () => {
  const failed = {
    run_id: 'run-1',
    plugin: 'acme',
    run: 'sync',
    title: 'Sync <calls>',
    sync: true,
    connection_id: null,
    done: 1200,
    reported: 3,
    error: 'The API key was revoked.',
  };
  const { run_id, run, sync: _sync, ...rest } = failed;

  it('receives sync.failed of runs that sync, once for each failure, whatever its filter', async () => {
    const trigger = await setTrigger({ events: ['sync.failed'], filter: { entity_type: 'person' } });
    stage.hub.http.serve(() => ({ status: 204 }));
    await stage.hub.event('run.failed', failed);
    await stage.hub.event('run.failed', { ...failed, sync: false });
    await stage.hub.drain();
    expect(stage.hub.http.sent.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
      {
        type: 'sync.failed',
        timestamp: stage.hub.clock.now().toISOString(),
        data: { run: { ...rest, id: run_id, name: run } },
      },
    ]);
    expect(await log(trigger)).toMatchObject([{ state: 'delivered', event: 'sync.failed', entity_id: 'run-1' }]);
    await stage.hub.event('run.failed', { ...failed, done: 1300 });
    await stage.hub.drain();
    expect(stage.hub.http.sent).toHaveLength(2);
  });

  it('receives run.failed of other runs, also as a line of text, and a sample', async () => {
    const trigger = await setTrigger({ events: ['run.failed'], format: 'slack' });
    stage.hub.http.serve(() => ({ status: 200 }));
    await stage.hub.event('run.failed', failed);
    await stage.hub.event('run.failed', { ...failed, sync: false });
    await stage.hub.drain();
    await stage.hub.route('test', { params: { id: trigger.id }, body: {} });
    expect(stage.hub.http.sent.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
      { text: '*Run failed* · Sync &lt;calls&gt; (acme): The API key was revoked.' },
      { text: '*Run failed* · Test of your trigger (triggers): This is a test of your trigger.' },
    ]);
  });
});
