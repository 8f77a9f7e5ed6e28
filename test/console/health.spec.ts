import { findProblem, readConnections } from '../../console/src/settings/health.ts';
import type { Schemas } from '../../console/src/api/schemas.ts';

const connection = (more: object = {}) =>
  ({
    id: 'c',
    name: 'Main',
    state: 'connected',
    reason: null,
    last_error: null,
    last_event_at: null,
    ...more,
  }) as object;
const integration = (more: object = {}) =>
  ({
    provider: 'calcom',
    display_name: 'Cal.com',
    state: 'connected',
    reason: null,
    connections: [],
    ...more,
  }) as unknown as Schemas['Integration'];
const trigger = (more: object) =>
  ({ state: 'active', reason: null, warning: null, failing_since: null, ...more }) as unknown as Schemas['Trigger'];

describe('the health of connections', () => {
  it('lists those with a problem first, each by its own name where there are several', () => {
    const several = [connection(), connection({ id: 'd', name: 'Other', state: 'degraded', last_error: 'timeout' })];
    const found = readConnections([
      integration({ provider: 'crm', display_name: 'CRM', connections: [connection()] }),
      integration({ connections: several }),
      integration({ provider: 'desk', display_name: 'Desk', state: 'available' }),
    ]);
    expect(found.map(({ name, problem }) => [name, problem])).toEqual([
      ['Cal.com: Other', 'timeout'],
      ['CRM', null],
      ['Cal.com: Main', null],
    ]);
  });

  it('has a plugin that is not running, also without a connection', () => {
    expect(readConnections([integration({ state: 'failed', reason: 'It does not start.' })])).toMatchObject([
      { name: 'Cal.com', state: 'failed', problem: 'It does not start.' },
    ]);
  });

  it('names why a connection has to be made again rather than its last error', () => {
    const broken = connection({ state: 'reconnect', reason: 'Connect it again.', last_error: '401' });
    expect(readConnections([integration({ connections: [broken] })])).toMatchObject([{ problem: 'Connect it again.' }]);
  });
});

describe('the health of a webhook endpoint', () => {
  it.each([
    [{}, null],
    [{ state: 'paused' }, null],
    [{ failing_since: '2026-11-20T09:00:00Z', warning: 'It will be disabled.' }, 'It will be disabled.'],
    [{ failing_since: '2026-11-20T09:00:00Z' }, ''],
    [{ state: 'disabled', reason: 'The receiver is gone.' }, 'The receiver is gone.'],
  ])('with %j has the problem %j', (more, problem) => {
    expect(findProblem(trigger(more))).toBe(problem);
  });
});
