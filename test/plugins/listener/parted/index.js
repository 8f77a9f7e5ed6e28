import { moduleOf } from '../../kit.js';

class Connection {
  async test() {
    return { outcome: 'ok', message: 'Fine.' };
  }

  async connect() {}

  async disconnect() {}
}
Reflect.defineMetadata('rapport:lifecycle', true, Connection);

export default moduleOf(Connection);
