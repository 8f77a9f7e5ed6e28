import { setTimeout as pause } from 'node:timers/promises';
import { mark, moduleOf, toolOptions } from '../../kit.js';

/** What reached the handlers, by kind. */
const seen = [];
const kept = [];
const hanging = [];
const asked = new Map();

class Jobs {
  /** Another hub in the same process begins with nothing. */
  constructor() {
    seen.length = 0;
    kept.length = 0;
    asked.clear();
  }

  throws() {
    seen.push('throws');
    throw new Error('I always do');
  }

  ends() {
    seen.push('ends');
    throw Object.assign(new Error('never again'), { [Symbol.for('rapport:permanent-error')]: true });
  }

  async hangs(_job, { signal }) {
    seen.push('hangs');
    signal.addEventListener('abort', () => seen.push('told to stop'));
    await new Promise(letGo => hanging.push(letGo));
  }

  /** A hub waits for what it told to stop, so whoever ends one lets go first. */
  frees() {
    for (const letGo of hanging.splice(0)) letGo();
  }

  strays() {
    setTimeout(async () => {
      throw new Error('nobody waits for me');
    }, 1);
    setTimeout(() => {
      throw new Error('nor for me');
    }, 1);
    seen.push('strays');
  }

  leaks() {
    kept.push(Buffer.alloc(1_000_000));
    seen.push('leaks');
  }

  later({ id, attempt }) {
    asked.set(id, (asked.get(id) ?? 0) + 1);
    seen.push(`later ${attempt}`);
    if (asked.get(id) > 2) return;
    throw Object.assign(new Error('not now'), { [Symbol.for('rapport:retry-later')]: true, afterMs: 5 });
  }

  heals({ id, data, attempt }) {
    seen.push({ id, data, attempt });
    if (attempt < 3) throw new Error('not yet');
  }

  async counts({ data }) {
    seen.push(data);
    await pause(5);
  }
}
for (const job of ['throws', 'ends', 'hangs', 'frees', 'strays', 'leaks', 'later', 'heals', 'counts'])
  mark('on-job', job, Jobs, job);

class Events {
  recorded(event) {
    seen.push({ type: event.type, at: event.occurredAt instanceof Date, ...event.payload });
  }

  happened({ payload }) {
    seen.push({ happened: payload.n });
  }
}
mark('on-event', 'observation.recorded', Events, 'recorded');
mark('on-event', 'rough.happened', Events, 'happened');

class Routes {
  async emit({ params, body }, hub) {
    for (const data of body.all ?? [body.data ?? null]) await hub.jobs.emit(params.name, data, body.options);
    return { status: 202, body: {} };
  }

  async happen({ body }, hub) {
    await hub.events.emit('rough.happened', body);
    return { status: 202, body: {} };
  }

  seen() {
    return { body: seen };
  }

  fail({ body }) {
    if (body.brand)
      throw Object.assign(new Error('said to the caller'), { [Symbol.for(body.brand)]: true, afterMs: 7000 });
    throw new Error('a secret of the plugin');
  }

  async upload({ upload }) {
    let bytes = 0;
    for await (const chunk of upload.stream) bytes += chunk.byteLength;
    return { status: 201, body: { bytes, name: upload.fileName ?? null, type: upload.contentType } };
  }

  scale() {
    return { body: 'scale' };
  }

  admin({ caller }) {
    return { body: caller };
  }
}
for (const route of ['emit', 'happen', 'seen', 'fail', 'upload', 'scale', 'admin'])
  mark('on-route', route, Routes, route);

class Tools {
  say(input, hub, call) {
    return { input, hub: Object.keys(hub).sort(), call: Object.keys(call).sort() };
  }

  scale() {
    return { said: 'scale' };
  }

  fail() {
    throw new Error('a secret of the plugin');
  }

  leave() {
    void Promise.reject(new Error('left behind'));
    return { said: 'gone' };
  }
}
mark(
  'mcp-tool',
  toolOptions('rough_say', { input: { type: 'object', properties: { word: { type: 'string' } } } }),
  Tools,
  'say',
);
mark('mcp-tool', toolOptions('rough_scale'), Tools, 'scale');
mark('mcp-tool', toolOptions('rough_fail'), Tools, 'fail');
mark('mcp-tool', toolOptions('rough_leave'), Tools, 'leave');

export default moduleOf(Jobs, Events, Routes, Tools);
