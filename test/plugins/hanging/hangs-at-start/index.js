import { moduleOf } from '../../kit.js';

class Slow {
  onModuleInit() {
    return new Promise(() => undefined);
  }
}

export default moduleOf(Slow);
