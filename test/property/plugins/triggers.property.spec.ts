import fc from 'fast-check';
import type { EntitySummary, Json } from '@rapport/plugin-sdk';
import { type Delivery, deliveryId, findDueDeliveries } from '../../../plugins/triggers/src/delivery.js';
import { matchesFilter } from '../../../plugins/triggers/src/filter.js';
import { toSlackMessage } from '../../../plugins/triggers/src/schemas.js';
import { validateHeaders, buildRequestHeaders } from '../../../plugins/triggers/src/endpoint.input.js';
import {
  recordOutcome,
  DISABLED_AFTER_MS,
  type AttemptOutcome,
  concurrencyFor,
  FAILURE_THRESHOLD,
  CLOSED,
} from '../../../plugins/triggers/src/circuit-breaker.js';
import { fitToSize, type Message, MAX_MESSAGE_BYTES } from '../../../plugins/triggers/src/message.js';
import { classifyResponse } from '../../../plugins/triggers/src/send.js';
import {
  computeRetryDelayMs,
  RETRY_SCHEDULE,
  parseRetryAfterMs,
} from '../../../plugins/triggers/src/retry-schedule.js';

const NOW = Date.UTC(2026, 10, 20, 12);

describe('the schedule', () => {
  it('follows the pauses, never sooner and a fifth later at most, and ends', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(15), (id, attempts) => {
        const pause = computeRetryDelayMs(attempts, id);
        const base = RETRY_SCHEDULE[attempts];
        if (base === undefined) return expect(pause).toBeUndefined();
        expect(pause).toBeGreaterThanOrEqual(base);
        expect(pause).toBeLessThanOrEqual(base * 1.2 + 1);
        expect(computeRetryDelayMs(attempts, id)).toBe(pause);
      }),
    );
  });

  it.each([
    ['7', 7_000],
    ['0', 0],
    [' 120 ', 120_000],
    ['999999999', 86_400_000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %j as %j ms', (header, ms) => {
    expect(parseRetryAfterMs(header, NOW)).toBe(ms);
  });
});

describe('outcomes', () => {
  it('only 2xx is a success, only 410 says enough', () => {
    for (let status = 100; status < 600; status++) {
      const outcome = classifyResponse({ status, headers: {} }, NOW);
      expect(outcome.kind).toBe(status >= 200 && status < 300 ? 'delivered' : 'failed');
      expect('gone' in outcome && outcome.gone === true).toBe(status === 410);
    }
    expect(classifyResponse({ status: null, headers: {} }, NOW)).toEqual({ kind: 'failed' });
  });
});

describe('health', () => {
  const failed: AttemptOutcome = { kind: 'failed' };
  const outcome = fc.constantFrom<AttemptOutcome>(
    { kind: 'delivered' },
    failed,
    { kind: 'failed', throttled: true, wishMs: 9_000 },
    { kind: 'failed', gone: true },
  );

  it('a success forgets all failures, also that it was disabled', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 40 }), outcomes => {
        const health = outcomes.reduce((before, each, i) => recordOutcome(before, each, NOW + i * 1000), CLOSED);
        const well = recordOutcome(health, { kind: 'delivered' }, NOW + 100_000);
        expect({ ...well, lastSuccessAt: null, recoveredAt: null }).toEqual(CLOSED);
        expect(concurrencyFor(well, NOW + 100_000, 16)).toBe(16);
      }),
    );
  });

  it('opens after failures in a row, lets one try it when it has cooled, and doubles the pause up to half an hour', () => {
    let health = CLOSED;
    for (let i = 0; i < FAILURE_THRESHOLD; i++) health = recordOutcome(health, failed, NOW);
    expect(concurrencyFor(health, NOW, 16)).toBe(0);
    expect(recordOutcome(health, failed, NOW).holdUntil).toBe(health.holdUntil);
    const pauses: number[] = [];
    for (let at = health.holdUntil!; pauses.length < 9; at = health.holdUntil!) {
      expect(concurrencyFor(health, at, 16)).toBe(1);
      health = recordOutcome(health, failed, at);
      pauses.push((health.holdUntil! - at) / 1000);
    }
    expect(pauses).toEqual([60, 120, 240, 480, 960, 1800, 1800, 1800, 1800]);
  });

  it('warns three times, and gives up after five days without a success', () => {
    const hours = Array.from({ length: 24 * 5 + 1 }, (_, hour) => NOW + hour * 3_600_000);
    const course = hours.map(
      (at, i) => hours.slice(0, i + 1).reduce((h, now) => recordOutcome(h, failed, now), CLOSED) && at,
    );
    expect(course).toHaveLength(121);
    let health = CLOSED;
    const warned: number[] = [];
    for (const at of hours) {
      const next = recordOutcome(health, failed, at);
      if (next.warned > health.warned) warned.push((at - NOW) / 86_400_000);
      expect(next.disabled !== null).toBe(at - NOW >= DISABLED_AFTER_MS);
      health = next;
    }
    expect(warned).toEqual([1, 3, 4]);
  });

  it('a 429 response does not open the circuit', () => {
    let health = CLOSED;
    for (let i = 0; i < 20; i++) health = recordOutcome(health, { kind: 'failed', throttled: true }, NOW);
    expect(concurrencyFor(health, NOW, 16)).toBe(16);
  });
});

describe('what is due', () => {
  const delivery = fc.record({ entity_id: fc.constantFrom('a', 'b', 'c'), late: fc.boolean() });

  it('keeps the order of each entity, and lets nobody wait for another', () => {
    fc.assert(
      fc.property(fc.array(delivery, { maxLength: 30 }), all => {
        const waiting = all.map(
          ({ entity_id, late }, i) =>
            ({
              id: String(i),
              entity_id,
              attempts: [],
              next_at: new Date(NOW + (late ? 1 : 0)).toISOString(),
            }) as never,
        ) as Delivery[];
        const { lines, nextAt } = findDueDeliveries(waiting, NOW, null);
        for (const entity of ['a', 'b', 'c']) {
          const own = waiting.filter(({ entity_id }) => entity_id === entity);
          const until = own.findIndex(({ next_at }) => Date.parse(next_at) > NOW);
          const expected = until < 0 ? own : own.slice(0, until);
          const line = lines.find(([first]) => first!.entity_id === entity) ?? [];
          expect(line).toEqual(expected);
        }
        expect(nextAt !== null).toBe(all.some(({ late }) => late));
      }),
    );
  });

  it('ids sort as what they stand for has landed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e15 }), fc.integer({ min: 0, max: 4e15 }), (a, b) => {
        const iso = (us: number) =>
          `${new Date(Math.floor(us / 1000)).toISOString().slice(0, -1)}${String(us % 1000).padStart(3, '0')}Z`;
        expect(deliveryId(iso(a), 'x') < deliveryId(iso(b), 'x')).toBe(a < b);
      }),
    );
  });
});

describe('filters', () => {
  const entity = (claims: Record<string, Json>, confidence = 0.9, freshness = 'fresh') =>
    ({
      type: 'person',
      claims: Object.fromEntries(
        Object.entries(claims).map(([name, value]) => [name, { value, confidence, freshness, epistemic_class: 'x' }]),
      ),
    }) as unknown as EntitySummary;

  it.each([
    [{ eq: 'vp sales' }, 'VP Sales', true],
    [{ eq: 'cto' }, 'VP Sales', false],
    [{ ne: 'cto' }, 'VP Sales', true],
    [{ ne: 'cto' }, undefined, true],
    [{ eq: 'cto' }, undefined, false],
    [{ in: ['demo', 'proposal'] }, 'Demo', true],
    [{ contains: 'vp' }, 'SVP Sales', true],
    [{ contains: 'kafka' }, ['Kafka', 'Go'], true],
    [{ gt: 10, lte: 50 }, 50, true],
    [{ gt: 10 }, 'many', false],
    [{ exists: false }, undefined, true],
    [{ exists: false }, 'x', false],
    [{ exists: true }, null, false],
    [{ min_confidence: 0.95 }, 'x', false],
    [{ fresh: true }, 'x', true],
  ] as const)('%j of %j is %j', (condition, value, expected) => {
    const who = entity(value === undefined ? {} : { title: value as Json });
    expect(matchesFilter({ claims: { title: condition } }, who, 'agent')).toBe(expected);
  });

  it('look at the type of the entity and the source of the observation', () => {
    expect(matchesFilter({ entity_type: 'company' }, entity({}), 'agent')).toBe(false);
    expect(matchesFilter({ sources: ['calcom'] }, entity({}), 'agent')).toBe(false);
    expect(matchesFilter({ entity_type: 'person', sources: ['agent'] }, entity({}), 'agent')).toBe(true);
  });
});

describe('messages', () => {
  const message = (claims: Record<string, number>, details: number): Message => ({
    type: 'reply.received',
    timestamp: '2026-11-20T12:00:00Z',
    data: {
      observation: { id: 'o', value: { description: 'd'.repeat(details), more: 'm' } } as never,
      entity: { id: 'e', type: 'person', name: 'Ada', email: null, title: null, company: null },
      claims: Object.fromEntries(
        Object.entries(claims).map(([name, size]) => [
          name,
          { value: 'v'.repeat(size), confidence: 1, freshness: 'fresh' },
        ]),
      ),
    },
  });

  it('are at most 20 kB, and whole when they are small', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 20 }), fc.nat(9_000)), fc.nat(60_000), (claims, details) => {
        const whole = message(claims, details);
        const sent = fitToSize(whole);
        expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
        const isSmall = Buffer.byteLength(JSON.stringify(whole)) <= MAX_MESSAGE_BYTES;
        expect(sent.data.truncated).toBe(isSmall ? undefined : true);
        if (isSmall) expect(sent).toEqual(whole);
      }),
    );
  });

  it('for Slack are a line in which nobody is mentioned', () => {
    const { data, ...rest } = message({}, 0);
    const observation = { ...data.observation, value: { description: 'hi <!channel> & <@U1>' } };
    expect(
      toSlackMessage({ ...rest, data: { ...data, observation, entity: { ...data.entity, title: 'CFO' } } }),
    ).toEqual({
      text: '*Reply received* · Ada (CFO): hi &lt;!channel&gt; &amp; &lt;@U1&gt;',
    });
  });
});

describe('headers', () => {
  it.each(['Host', 'webhook-id', 'WEBHOOK-Signature', 'Content-Length', 'transfer-encoding', 'user-agent'])(
    'of ours cannot be set: %s',
    name => {
      expect(validateHeaders({ [name]: 'x' })).toContain(name);
      const sent = buildRequestHeaders({ [name]: 'forged' }, { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,x' });
      expect(Object.values(sent)).not.toContain('forged');
    },
  );

  it('hold nothing that would begin another header', () => {
    for (const value of ['a\r\nx: y', 'a\nb', '\0', 'é'])
      expect(validateHeaders({ 'x-token': value })).toContain('x-token');
    expect(validateHeaders({ 'a b': 'c' })).toBeDefined();
    expect(validateHeaders({ 'x-a': '1', 'X-A': '2' })).toContain('twice');
    expect(validateHeaders({ authorization: 'Bearer abc' })).toBeUndefined();
  });
});
