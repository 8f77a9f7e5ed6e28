import { mark, moduleOf } from '../../kit.js';
import manifest from './manifest.js';

/** What was told, by type, without what came twice. */
const heard = new Map();

class Handlers {
  heard() {
    return { body: [...heard.values()] };
  }

  async people({ body }, hub) {
    return { body: await hub.graph.people.upsert(body.people, body.options) };
  }
}
for (const type of manifest.consumes) {
  const name = `hear ${type}`;
  Handlers.prototype[name] = ({ id, type: told, payload }) => heard.set(id, { type: told, payload });
  mark('on-event', type, Handlers, name);
}
mark('on-route', 'heard', Handlers, 'heard');
mark('on-route', 'people', Handlers, 'people');

export default moduleOf(Handlers);
