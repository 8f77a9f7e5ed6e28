import { PermanentError, RetryLater } from '#sdk/errors.js';
import { ProcessChannel } from '#plugin-host/isolation/process-channel.js';

/** Two channels, between which messages are copied as between processes. @param entry what the other side calls */
function connect(entry: (...args: never[]) => unknown) {
  const ends: { hub?: ProcessChannel; plugin?: ProcessChannel } = {};
  const pipeTo = (to: 'hub' | 'plugin') => ({
    send: (message: unknown) => {
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => ends[to]!.receive(copy));
    },
  });
  ends.hub = new ProcessChannel(pipeTo('plugin'), () => undefined);
  ends.plugin = new ProcessChannel(pipeTo('hub'), entry as (...args: unknown[]) => unknown);
  return ends as { hub: ProcessChannel; plugin: ProcessChannel };
}

interface Port {
  readonly add: (one: number, other: number) => Promise<number>;
  readonly fail: () => Promise<never>;
}

it('copies data, and calls functions among the arguments where they are', async () => {
  const { hub } = connect(async (port: Port, data: { at: Date; bytes: Uint8Array }) => ({
    sum: await port.add(2, 3),
    at: data.at.toISOString(),
    bytes: data.bytes.length,
  }));
  const port = { add: (one: number, other: number) => one + other };
  expect(await hub.call(port, { at: new Date(0), bytes: new Uint8Array(4) })).toEqual({
    sum: 5,
    at: '1970-01-01T00:00:00.000Z',
    bytes: 4,
  });
});

it('calls methods that a port inherits', async () => {
  const { hub } = connect((port: Port) => port.add(1, 1));
  expect(await hub.call(Object.create({ add: (one: number, other: number) => one + other }))).toBe(2);
});

it('ends what was lent with the call', async () => {
  let kept: Port | undefined;
  const { hub } = connect((port: Port) => void (kept = port));
  await hub.call({ add: () => 0 });
  await expect(kept!.add(1, 1)).rejects.toThrow('A hub context was used after its handler had ended.');
});

it.each([
  [new PermanentError('never'), PermanentError],
  [new RetryLater(5000), RetryLater],
])('passes on %s', async (thrown, type) => {
  const { hub } = connect(() => {
    throw thrown;
  });
  const error = await hub.call().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ message: thrown.message });
});

it('returns an error that came from this side as it was', async () => {
  const original = new TypeError('from the hub');
  const { hub } = connect((port: Port) => port.fail());
  const port = {
    fail: () => {
      throw original;
    },
  };
  expect(await hub.call(port).catch((reason: unknown) => reason)).toBe(original);
});

it('passes on an abort, also one that came before', async () => {
  const { hub } = connect(async (signal: AbortSignal) => {
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve));
    return (signal.reason as Error).message;
  });
  const controller = new AbortController();
  const waiting = hub.call(controller.signal);
  controller.abort(new Error('too late'));
  expect(await waiting).toBe('too late');
  expect(await hub.call(AbortSignal.abort(new Error('before')))).toBe('before');
});

it('reads streams as they are consumed, and ends one that is left early', async () => {
  const sent: number[] = [];
  let isEnded = false;
  async function* produce() {
    try {
      for (let n = 0; n < 100; n++) {
        sent.push(n);
        yield new Uint8Array(n);
      }
    } finally {
      isEnded = true;
    }
  }
  const { hub } = connect(async (stream: AsyncIterable<Uint8Array>) => {
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.byteLength;
      if (chunk.byteLength === 3) break;
    }
    return bytes;
  });
  expect(await hub.call(produce())).toBe(6);
  expect(sent).toEqual([0, 1, 2, 3]);
  expect(isEnded).toBe(true);
});

it('ends every call when the other side has gone', async () => {
  const { hub } = connect(() => new Promise(() => undefined));
  const waiting = hub.call();
  hub.close(new Error('the process ended'));
  await expect(waiting).rejects.toThrow('the process ended');
  await expect(hub.call()).rejects.toThrow('the process ended');
});
