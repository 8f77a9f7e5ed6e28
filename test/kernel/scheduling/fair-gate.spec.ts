import fc from 'fast-check';
import { FairGate } from '#kernel/scheduling/cooperative-scheduler.js';
import { TimeoutError } from '#kernel/scheduling/timeout.js';

const WAIT_MS = 60_000;
const settle = () => new Promise(resolve => setImmediate(resolve));

describe('a fair gate', () => {
  it('gives an owner nearly everything while it is alone, and a share while others are active', () => {
    const gate = new FairGate({ maxTotal: 10, maxShared: 2, maxAlone: 8 });
    const enterAll = (owner: string) => Array.from({ length: 12 }, () => gate.tryEnter(owner)).filter(Boolean).length;
    expect(enterAll('a')).toBe(8);
    expect(enterAll('b')).toBe(2);
    for (let i = 0; i < 8; i++) gate.leave('a');
    expect(enterAll('a')).toBe(2);
    expect([gate.enteredBy('a'), gate.enteredBy('b')]).toEqual([2, 2]);
  });

  it('lets owners alternate, and each one in order', async () => {
    const gate = new FairGate({ maxTotal: 1, maxShared: 1, maxAlone: 1 });
    await gate.enter('a', WAIT_MS);
    const order: string[] = [];
    const enter = (owner: string, name: string) => gate.enter(owner, WAIT_MS).then(() => void order.push(name));
    const all = [enter('a', 'a1'), enter('a', 'a2'), enter('a', 'a3'), enter('b', 'b1'), enter('c', 'c1')];
    for (const owner of ['a', 'a', 'b', 'c', 'a', 'a']) {
      gate.leave(owner);
      await settle();
    }
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    expect(gate.waiters).toBe(0);
  });

  it('gives up after the time limit and keeps no place', async () => {
    const gate = new FairGate({ maxTotal: 1, maxShared: 1, maxAlone: 1 });
    await gate.enter('a', WAIT_MS);
    await expect(gate.enter('b', 1)).rejects.toBeInstanceOf(TimeoutError);
    expect(gate.waiters).toBe(0);
    gate.leave('a');
    expect(gate.tryEnter('b')).toBe(true);
  });

  it('never exceeds its limits, whatever enters and leaves', () => {
    const owner = fc.constantFrom('a', 'b', 'c');
    const steps = fc.array(fc.record({ owner, enters: fc.boolean() }), { maxLength: 100 });
    fc.assert(
      fc.property(steps, list => {
        const limits = { maxTotal: 5, maxShared: 2, maxAlone: 4 };
        const gate = new FairGate(limits);
        for (const step of list) {
          if (step.enters) gate.tryEnter(step.owner);
          else if (gate.enteredBy(step.owner) > 0) gate.leave(step.owner);
          const entered = ['a', 'b', 'c'].map(each => gate.enteredBy(each));
          expect(Math.max(...entered)).toBeLessThanOrEqual(limits.maxAlone);
          expect(entered.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(limits.maxTotal);
        }
      }),
    );
  });
});
