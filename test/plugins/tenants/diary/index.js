import { mark, moduleOf } from '../../kit.js';

/** Writes down what reached it in the store of the connection, with whose credentials and settings it was given. */
async function note(hub, kind, what) {
  const owner = `${hub.credentials.token}|${hub.settings.owner}`;
  await hub.store.put(`page:${kind}:${what}`, owner);
  const pages = (await hub.store.get(`pages:${kind}`)) ?? [];
  if (!pages.includes(what)) await hub.store.put(`pages:${kind}`, [...pages, what]);
}

class Handlers {
  /** Fails to open when a test says so. */
  constructor() {
    if (process.env['DIARY'] === 'torn') throw new Error('The diary is torn.');
  }

  async write({ data }, hub) {
    await new Promise(resolve => setTimeout(resolve, data.pause));
    await note(hub, `job ${data.word}`, data.word);
    await hub.graph.record(`${data.word}@example.org`, [
      { kind: 'event', property: 'interaction.call_held', external_id: data.word, observed_at: '2026-11-20T09:00:00Z' },
    ]);
    await hub.events.emit('diary.written', { word: data.word });
  }

  async tick(_job, hub) {
    await hub.store.put('ticks', ((await hub.store.get('ticks')) ?? 0) + 1);
  }

  async recorded({ payload }, hub) {
    await note(hub, `recorded ${payload.entity_id}`, payload.entity_id);
  }

  async written({ payload }, hub) {
    await note(hub, `written ${payload.word}`, payload.word);
  }

  async post({ json }, hub) {
    await new Promise(resolve => setTimeout(resolve, json.pause));
    await note(hub, `post ${json.word}`, json.word);
  }

  async emit({ body }, hub) {
    for (const data of body.all) await hub.jobs.emit('write', data);
    return { status: 202, body: {} };
  }

  async read({ query }, hub) {
    return {
      body: {
        pages: (await hub.store.get(`pages:${query.kind}`)) ?? [],
        owner: (await hub.store.get(`page:${query.kind}:${query.what}`)) ?? null,
        address: await hub.store.get('address'),
        ticks: (await hub.store.get('ticks')) ?? 0,
      },
    };
  }
}
mark('on-job', 'write', Handlers, 'write');
mark('on-job', 'tick', Handlers, 'tick');
mark('on-event', 'observation.recorded', Handlers, 'recorded');
mark('on-event', 'diary.written', Handlers, 'written');
mark('on-inbound', 'post', Handlers, 'post');
mark('on-route', 'emit', Handlers, 'emit');
mark('on-route', 'read', Handlers, 'read');

class Connection {
  async test() {
    return { outcome: 'ok', message: 'Fine.' };
  }

  async connect(hub, connection) {
    await hub.store.put('address', connection.inbound.post.url);
  }

  async disconnect() {}
}
Reflect.defineMetadata('rapport:lifecycle', true, Connection);

export default moduleOf(Handlers, Connection);
