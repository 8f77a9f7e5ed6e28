import { mark, moduleOf } from '../../kit.js';

class Jobs {
  sync() {}
}
mark('on-job', 'sync', Jobs, 'sync');

export default moduleOf(Jobs);
