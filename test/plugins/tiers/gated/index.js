import { mark, moduleOf, toolOptions } from '../../kit.js';

/** Remembers in the store of the connection what has reached it. */
async function note(hub, kind) {
  await hub.store.put(`seen ${kind}`, ((await hub.store.get(`seen ${kind}`)) ?? 0) + 1);
}

class Handlers {
  work(_job, hub) {
    return note(hub, 'job');
  }

  recorded(_event, hub) {
    return note(hub, 'event');
  }

  post(_delivery, hub) {
    return note(hub, 'inbound');
  }

  async seen(_request, hub) {
    const address = await hub.store.get('address');
    const count = async kind => (await hub.store.get(`seen ${kind}`)) ?? 0;
    return { body: { job: await count('job'), event: await count('event'), inbound: await count('inbound'), address } };
  }

  top() {
    return { body: {} };
  }

  async emit({ body }, hub) {
    await hub.jobs.emit('work', null, body);
    return { body: {} };
  }
}
mark('on-job', 'work', Handlers, 'work');
mark('on-event', 'observation.recorded', Handlers, 'recorded');
mark('on-inbound', 'post', Handlers, 'post');
mark('on-route', 'seen', Handlers, 'seen');
mark('on-route', 'top', Handlers, 'top');
mark('on-route', 'emit', Handlers, 'emit');

class Tools {
  say() {
    return { said: 'it' };
  }

  top() {
    return { said: 'it' };
  }
}
mark('mcp-tool', toolOptions('gated_say'), Tools, 'say');
mark('mcp-tool', toolOptions('gated_top'), Tools, 'top');

class Connection {
  async test() {
    return { outcome: 'ok', message: 'Fine.' };
  }

  async connect(hub, { inbound }) {
    await hub.store.put('address', inbound.post.url);
  }

  async disconnect() {}
}
Reflect.defineMetadata('rapport:lifecycle', true, Connection);

export default moduleOf(Handlers, Tools, Connection);
