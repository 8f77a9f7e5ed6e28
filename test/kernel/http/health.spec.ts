import { readFileSync } from 'node:fs';
import { Controller, Get } from '@nestjs/common';
import pg from 'pg';
import type { Registry } from 'prom-client';
import { ReadinessService } from '#kernel/http/shutdown.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';
import { measurePool } from '#kernel/telemetry/http.metrics.js';
import { type Fixture, send, startFixture } from './http.fixture.js';

@Controller()
class SomeController {
  @Get('people/:focus')
  person(): object {
    return {};
  }
}

let hub: Fixture;
beforeEach(async () => {
  hub = await startFixture([SomeController]);
});
afterEach(() => hub.close());

const probes = () => hub.app.get(ReadinessService, { strict: false });
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const ready = () => send(`${hub.url}/readyz`);

describe('health', () => {
  it('lives whatever its dependencies do', async () => {
    probes().addProbe('database', () => Promise.reject(new Error('gone')));
    expect((await send(`${hub.url}/healthz`)).body).toEqual({ status: 'ok' });
  });

  it('is ready when every dependency is', async () => {
    probes().addProbe('database', () => Promise.resolve({ rows: [] }));
    probes().addProbe('queue', () => 'up');
    const { status, body } = await ready();
    expect([status, body]).toEqual([200, { status: 'ready', version, dependencies: { database: 'up', queue: 'up' } }]);
  });

  it('says which dependency is down, and nothing of why or where', async () => {
    probes().addProbe('database', () =>
      Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432 password=hunter2')),
    );
    probes().addProbe('queue', () => 'down');
    probes().addProbe('lock', () => {
      throw new Error('at once');
    });
    probes().addProbe('disk', () => true);
    const { status, text } = await ready();
    expect(status).toBe(503);
    expect(JSON.parse(text)).toEqual({
      status: 'not_ready',
      version,
      dependencies: { database: 'down', queue: 'down', lock: 'down', disk: 'up' },
    });
    expect(text).not.toMatch(/10\.0\.0\.7|hunter2/);
  });

  it('is ready without a dependency that it can do without, and shows it', async () => {
    probes().addProbe('database', () => true);
    probes().addProbe('queue', () => 'down', { isRequired: false });
    const { status, body } = await ready();
    expect([status, body]).toEqual([
      200,
      { status: 'ready', version, dependencies: { database: 'up', queue: 'down' } },
    ]);
  });

  it('waits a second at most for a dependency that hangs, and asks it only once meanwhile', async () => {
    let requests = 0;
    let answer: (value: unknown) => void = () => undefined;
    probes().addProbe('database', () => {
      requests++;
      return new Promise(resolve => (answer = resolve));
    });
    const answers = await Promise.all([ready(), ready(), ready()]);
    for (const { status, body } of answers) expect([status, body.dependencies]).toEqual([503, { database: 'down' }]);
    expect(requests).toBe(1);
    answer(true);
    probes().addProbe('database', () => true);
    expect((await ready()).status).toBe(200);
  });

  it('wants no new work while it drains', async () => {
    probes().drain();
    const { status, body } = await ready();
    expect([status, body.status]).toEqual([503, 'draining']);
    const alive = await send(`${hub.url}/healthz`);
    expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close']);
  });
});

describe('metrics', () => {
  const metrics = async (of = hub) => (await send(`${of.url}/metrics`)).text;

  it('count requests by method, pattern and status, never by path', async () => {
    await send(`${hub.url}/people/ada@acme.io`);
    await send(`${hub.url}/people/bob@acme.io`);
    await send(`${hub.url}/nowhere/at/all`);
    const text = await metrics();
    expect(text).toContain(
      'rapport_http_request_duration_seconds_count{method="GET",route="/people/:focus",status="200"} 2',
    );
    expect(text).toContain('rapport_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1');
    expect(text).not.toMatch(/acme|nowhere/);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('is the text that Prometheus reads', async () => {
    const { headers, text } = await send(`${hub.url}/metrics`);
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = text.split('\n').filter(line => line !== '');
    for (const line of lines) expect(line).toMatch(/^(?:# (?:HELP|TYPE) |[a-z_\d]+(?:\{.*\})? [-+.\deNan]+$)/);
  });

  it('are those of one hub, however many live in the process', async () => {
    const other = await startFixture([SomeController]);
    await send(`${hub.url}/people/ada`);
    expect(await metrics(other)).not.toContain('route="/people/:focus"');
    expect(await metrics()).toContain('route="/people/:focus"');
    await other.close();
  });

  it('show the connections to PostgreSQL', async () => {
    const registry = hub.app.get<Registry>(METRICS, { strict: false });
    const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none', max: 1 });
    measurePool({ pool, work: { waitingForTurn: 3 } }, registry);
    const text = await metrics();
    expect(text).toContain('rapport_db_pool_connections{state="idle"} 0');
    expect(text).toContain('rapport_db_pool_connections{state="busy"} 0');
    expect(text).toContain('rapport_db_pool_waiting 0');
    expect(text).toContain('rapport_db_turn_waiting 3');
    await pool.end();
  });
});
