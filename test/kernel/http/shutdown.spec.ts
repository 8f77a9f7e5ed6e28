import { once } from 'node:events';
import { connect } from 'node:net';
import { Controller, Get, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ReadinessService, closeOnSignals, drain } from '#kernel/http/shutdown.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { until } from '../../support/until.js';
import { send, startFixture } from './http.fixture.js';

let finish: () => void;
let started: Promise<void>;
let begin: () => void;
let closedModules = 0;
let fastCalls = 0;

beforeEach(() => {
  closedModules = 0;
  started = new Promise(resolve => (begin = resolve));
});

@Controller()
@Injectable()
class SlowController implements OnModuleDestroy {
  @Get('slow')
  async slow(): Promise<object> {
    begin();
    await new Promise<void>(resolve => (finish = resolve));
    return { closedModules };
  }

  @Get('fast')
  fast(): object {
    fastCalls++;
    return {};
  }

  onModuleDestroy(): void {
    closedModules++;
  }
}

describe('draining', () => {
  it('answers what is under way before it closes anything, and accepts nothing new', async () => {
    const hub = await startFixture([SlowController]);
    const slow = send(`${hub.url}/slow`);
    await started;
    const drained = drain(hub.app);
    expect(hub.app.get(ReadinessService, { strict: false }).isDraining).toBe(true);
    await until('new connections are refused', () =>
      send(`${hub.url}/fast`).then(
        () => false,
        () => true,
      ),
    );
    finish();
    const { status, body } = await slow;
    expect([status, body]).toEqual([200, { closedModules: 0 }]);
    expect(await drained).toBe(true);
    expect(closedModules).toBe(1);
  });

  it('serves what comes after it on the same connection, and asks for no more there', async () => {
    const hub = await startFixture([SlowController]);
    const socket = connect(hub.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', chunk => (text += chunk));
    socket.write('GET /slow HTTP/1.1\r\nHost: hub\r\n\r\n');
    await started;
    const drained = drain(hub.app);
    const before = fastCalls;
    socket.write('GET /fast HTTP/1.1\r\nHost: hub\r\n\r\n');
    await until('the second request is read', () => fastCalls > before);
    finish();
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(text.split('HTTP/1.1 200 OK')[2]).toMatch(/connection: close/i);
    expect(await drained).toBe(true);
  });

  it('cuts off what takes too long', async () => {
    const hub = await startFixture([SlowController]);
    const slow = send(`${hub.url}/slow`).catch(() => 'cut off');
    await started;
    expect(await drain(hub.app, 50)).toBe(false);
    expect(await slow).toBe('cut off');
    finish();
  });
});

describe('signals', () => {
  const log = createLogger('silent');

  it.each(['SIGTERM', 'SIGINT'] as const)('end the process in good order on %s', async signal => {
    const order: string[] = [];
    const exited = new Promise<void>(resolve => {
      const stop = closeOnSignals({
        close: async () => void order.push('closed'),
        log,
        exit: code => {
          order.push(`exit ${code}`);
          stop();
          resolve();
        },
      });
    });
    process.emit(signal, signal);
    await exited;
    expect(order).toEqual(['closed', 'exit 0']);
    expect(process.listenerCount(signal)).toBe(0);
  });

  it('SIGTERM is announced at once, and the process serves on before it closes', async () => {
    const order: string[] = [];
    const { promise: exited, resolve } = Promise.withResolvers<void>();
    const stop = closeOnSignals({
      announce: () => void order.push('announced'),
      close: async () => void order.push('closed'),
      delayMs: 50,
      log,
      exit: () => resolve(),
    });
    process.emit('SIGTERM', 'SIGTERM');
    expect(order).toEqual(['announced']);
    await exited;
    expect(order).toEqual(['announced', 'closed']);
    stop();
  });

  it('SIGINT, which Ctrl-C sends, does not wait', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const stop = closeOnSignals({ close: async () => resolve(), delayMs: 600_000, log, exit: () => undefined });
    process.emit('SIGINT', 'SIGINT');
    await closed;
    stop();
  });

  it('end it with 1 when closing fails, and at once when they come twice', async () => {
    const exits: number[] = [];
    let fail: (error: Error) => void = () => undefined;
    const stop = closeOnSignals({
      close: () => new Promise((_, reject) => (fail = reject)),
      log,
      exit: code => exits.push(code),
    });
    process.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([]);
    process.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([1]);
    fail(new Error('the database hangs'));
    await until('the failure was noticed', () => exits.length === 2);
    expect(exits).toEqual([1, 1]);
    stop();
  });
});
