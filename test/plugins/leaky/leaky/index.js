import { mark, moduleOf, toolOptions } from '../../kit.js';

/** An error as HTTP clients throw them: with the request, its headers and an answer that repeats them. */
function failure({ credentials: { token } }) {
  const cause = Object.assign(new Error(`401 for ${token}`), { headers: { authorization: `Bearer ${token}` } });
  const basic = Buffer.from(`user:${token}`).toString('base64');
  const error = new AggregateError([cause], `The provider refused ${token}`, { cause });
  return Object.assign(error, { request: { url: `https://x.example/?key=${encodeURIComponent(token)}`, basic } });
}

class Handlers {
  tell(_job, hub) {
    throw failure(hub);
  }

  end(_job, hub) {
    throw Object.assign(failure(hub), { [Symbol.for('rapport:permanent-error')]: true });
  }

  stray(_job, hub) {
    setTimeout(async () => {
      throw failure(hub);
    }, 1);
  }

  post() {}

  async emit({ params }, hub) {
    await hub.jobs.emit(params.name, null);
    return { body: {} };
  }
}
mark('on-job', 'tell', Handlers, 'tell');
mark('on-job', 'end', Handlers, 'end');
mark('on-job', 'stray', Handlers, 'stray');
mark('on-inbound', 'post', Handlers, 'post');
mark('on-route', 'emit', Handlers, 'emit');

class Doors {
  tell({ body }, hub) {
    throw body.permanent
      ? Object.assign(failure(hub), { [Symbol.for('rapport:permanent-error')]: true })
      : failure(hub);
  }

  tool(_input, hub) {
    throw Object.assign(failure(hub), { [Symbol.for('rapport:tool-error')]: true });
  }
}
mark('on-route', 'tell', Doors, 'tell');
mark('mcp-tool', toolOptions('leaky_tell'), Doors, 'tool');

class Connection {
  async test() {
    return { outcome: 'ok', message: 'Fine.' };
  }

  async connect(hub, { inbound }) {
    hub.log.warn('connected', { inbound });
    await hub.store.put('hook', inbound.post);
    if (hub.credentials.token.includes('refused')) {
      throw new Error(
        `no subscription for ${hub.credentials.token} at ${inbound.post.url} with ${inbound.post.secret}`,
      );
    }
  }

  async disconnect() {}
}
Reflect.defineMetadata('rapport:lifecycle', true, Connection);

export default moduleOf(Handlers, Doors, Connection);
