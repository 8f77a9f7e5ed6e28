import { moduleOf } from '../../kit.js';

class Proud {
  constructor() {
    throw new Error('I will not be made');
  }
}

export default moduleOf(Proud);
