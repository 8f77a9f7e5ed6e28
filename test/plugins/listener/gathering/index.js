import { PermanentError } from '@rapport/plugin-sdk';
import { mark, moduleOf } from '../../kit.js';

/** The titles that were handed over together, and done. */
const taken = [];

class Handlers {
  take(events) {
    const titles = events.map(({ payload }) => payload.title);
    if (titles.includes('poison')) throw new PermanentError('It does me no good.');
    taken.push(titles);
  }

  taken() {
    return { body: taken };
  }
}
mark('on-events', ['note.saved'], Handlers, 'take');
mark('on-route', 'taken', Handlers, 'taken');

export default moduleOf(Handlers);
