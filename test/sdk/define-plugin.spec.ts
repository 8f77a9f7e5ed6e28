import { Injectable, Module } from '@nestjs/common';
import {
  definePlugin,
  type FromSchema,
  type HubContext,
  type HubOf,
  type JobOf,
  type Json,
  type PluginManifest,
  type RequestOf,
  type ResponseOf,
  type RunDone,
  type RunOf,
} from '#sdk/index.js';
import { testHub, type TestHub } from '#sdk/testing/index.js';

const manifest = {
  id: 'dialer',
  displayName: 'Dialer',
  description: 'Calls people.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  settings: {
    type: 'object',
    properties: {
      region: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
      pace: { type: 'integer', default: 5 },
    },
  },
  consumes: ['contact.imported', 'note.saved'],
  jobs: {
    call: {
      data: {
        type: 'object',
        required: ['email'],
        properties: { email: { type: 'string' }, note: { type: 'string' } },
      },
    },
    tidy: { everyMs: 60_000 },
  },
  runs: {
    sync: { title: 'Sync', input: { type: 'object', required: ['since'], properties: { since: { type: 'string' } } } },
  },
  emits: {
    'dialer.called': { type: 'object', required: ['seconds'], properties: { seconds: { type: 'number' } } },
  },
  routes: {
    add: {
      method: 'POST',
      path: 'add',
      auth: 'workspace',
      body: { type: 'object', required: ['email'], properties: { email: { type: 'string' } } },
      statuses: [202],
      response: { type: 'object', required: ['queued'], properties: { queued: { type: 'boolean' } } },
    },
  },
} as const satisfies PluginManifest;

const plugin = definePlugin({ manifest });
type Hub = HubOf<typeof plugin>;

@Injectable()
class Calls {
  @plugin.OnJob('call')
  async call({ data }: JobOf<typeof plugin, 'call'>, hub: Hub): Promise<void> {
    await hub.store.put(`called:${data.email}`, { note: data.note ?? null, region: hub.settings.region });
    await hub.events.emit('dialer.called', { seconds: hub.settings.pace });
  }

  @plugin.OnJob('tidy')
  async tidy({ data }: JobOf<typeof plugin, 'tidy'>): Promise<void> {
    if (data !== null) throw new Error('A periodic job has no data.');
  }

  @plugin.OnEvents('contact.imported', 'note.saved')
  async imported(events: readonly { readonly type: string }[], hub: Hub): Promise<void> {
    await hub.store.put('imported', events.length);
  }

  @plugin.OnRun('sync')
  async sync(run: RunOf<typeof plugin, 'sync', { page: number }>, hub: Hub): Promise<{ page: number } | RunDone> {
    await hub.store.put('since', run.input.since);
    return run.state === null ? { page: 1 } : run.done({ pages: run.state.page });
  }

  @plugin.OnRoute('add')
  async add({ body }: RequestOf<typeof plugin, 'add'>, hub: Hub): Promise<ResponseOf<typeof plugin, 'add'>> {
    if (!body) return { status: 400, body: { error: 'A body is missing.' } };
    await hub.jobs.emit('call', { email: body.email }, { key: body.email });
    return { status: 202, body: { queued: true } };
  }
}

/** What must not compile. Each line after a mark is an error that the compiler has to find. */
class Mistakes {
  // @ts-expect-error -- no job has this name
  @plugin.OnJob('cal')
  async name(): Promise<void> {}

  // @ts-expect-error -- the data has no field `phone`
  @plugin.OnJob('call')
  async data({ data }: { data: { phone: string } }): Promise<void> {
    await Promise.resolve(data);
  }

  // @ts-expect-error -- a job returns nothing
  @plugin.OnJob('call')
  async result(): Promise<number> {
    return 1;
  }

  // @ts-expect-error -- the plugin does not consume it
  @plugin.OnEvent('person.erased')
  async event(): Promise<void> {}

  // @ts-expect-error -- the payload of the event has no field `phone`
  @plugin.OnEvent('contact.imported')
  async payload({ payload }: { payload: { phone: string } }): Promise<void> {
    await Promise.resolve(payload);
  }

  // @ts-expect-error -- the manifest has no such route
  @plugin.OnRoute('remove')
  async route(): Promise<ResponseOf<typeof plugin, 'add'>> {
    return {};
  }

  // @ts-expect-error -- the response needs `queued`
  @plugin.OnRoute('add')
  async response(): Promise<{ status: 202; body: { done: boolean } }> {
    return { status: 202, body: { done: true } };
  }

  // @ts-expect-error -- the manifest declares 202
  @plugin.OnRoute('add')
  async status(): Promise<{ status: 200; body: { queued: boolean } }> {
    return { status: 200, body: { queued: true } };
  }

  // @ts-expect-error -- a step returns its state, or the end of the run
  @plugin.OnRun('sync')
  async step(): Promise<void> {}

  async calls(hub: Hub): Promise<void> {
    // @ts-expect-error -- the data needs `email`
    await hub.jobs.emit('call', {});
    // @ts-expect-error -- no job has this name
    await hub.jobs.emit('cal', { email: 'ada@acme.io' });
    // @ts-expect-error -- `seconds` is a number
    await hub.events.emit('dialer.called', { seconds: '5' });
    // @ts-expect-error -- the input needs `since`
    await hub.runs.start('sync', null);
    // @ts-expect-error -- there is no such setting
    await hub.store.put('x', hub.settings.regions);
    // @ts-expect-error -- the plugin has no credentials
    await hub.store.put('x', hub.credentials.api_key);
  }
}

@Module({ providers: [Calls] })
class DialerPlugin {}

let hub: TestHub;
beforeEach(async () => (hub = await testHub(DialerPlugin, manifest)));
afterEach(() => hub.close());

describe('definePlugin', () => {
  it('registers handlers as the decorators of the SDK do', async () => {
    expect(await hub.route('add', { body: { email: 'ada@acme.io' } })).toMatchObject({
      status: 202,
      body: { queued: true },
    });
    await hub.drain();
    expect(hub.events.published).toEqual([{ type: 'dialer.called', payload: { seconds: 5 } }]);
    expect(await hub.store.get('called:ada@acme.io')).toEqual({ note: null, region: 'eu' });
    expect(await hub.run('sync', { since: '2026-01-01' })).toMatchObject({ status: 'finished', result: { pages: 1 } });
  });

  it('checks data of jobs and input of runs where they are sent', async () => {
    await expect(hub.jobs.emit('call', { mail: 'ada@acme.io' })).rejects.toThrow("must have required property 'email'");
    await expect(hub.run('sync', { since: 7 })).rejects.toThrow('/since: must be string');
  });

  it('gives a hub that helpers for any plugin take', () => {
    const helper = (given: HubContext): unknown => given.settings;
    const typed: (given: Hub) => unknown = helper;
    expect(typed).toBe(helper);
  });
});

it('refuses mistakes when the plugin is compiled', () => {
  expect(Object.getOwnPropertyNames(Mistakes.prototype)).toHaveLength(11);
});

it('reads a type from a schema', () => {
  const schema = {
    type: 'object',
    required: ['id', 'tags'],
    properties: {
      id: { type: ['string', 'null'] },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
      nested: { type: 'object', properties: { on: { type: 'boolean', default: false } } },
      either: { anyOf: [{ const: 1 }, { type: 'string' }] },
      any: {},
    },
  } as const;
  type Expected = {
    readonly id: string | null;
    readonly tags: readonly ('a' | 'b')[];
    readonly nested?: { readonly on: boolean };
    readonly either?: 1 | string;
    readonly any?: Json;
  };
  const value: Expected = { id: null, tags: ['a'], nested: { on: true }, either: 1 };
  const inferred: FromSchema<typeof schema> = value;
  const back: Expected = inferred;
  expect(back).toBe(value);
});
