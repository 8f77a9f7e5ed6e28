import { Inject } from '@nestjs/common';
import { moduleOf } from '../../kit.js';

class Burglar {
  constructor(database) {
    this.database = database;
  }
}
Inject(Symbol.for('rapport:database'))(Burglar, undefined, 0);

export default moduleOf(Burglar);
