import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, until } from './process.ts';
import { secretKeys } from './secrets.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What `npm start` runs, without the `node` in front. */
const startWords = (
  JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(1);
const START_LIMIT_MS = 60_000;

/** How a hub is started. */
export interface HubSettings {
  /** Settings beside PORT, such as DATABASE_URL or DATA_DIR. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder for a CPU profile, written when the hub ends. */
  readonly profile?: string | undefined;
}

/** A hub in a process of its own, as `npm start` runs it. */
export class HubProcess {
  readonly url: string;
  /** From the start of the process to the first good answer of /readyz, in milliseconds. */
  readonly readyMs: number;
  private readonly child: ChildProcess;

  private constructor(url: string, readyMs: number, child: ChildProcess) {
    this.url = url;
    this.readyMs = readyMs;
    this.child = child;
  }

  /** Starts a hub and waits until it is ready. */
  static async start({ env, profile }: HubSettings): Promise<HubProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const profiling = profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : [];
    const began = performance.now();
    const child = spawn(process.execPath, [...profiling, ...startWords], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: String(port),
        RATE_LIMITS: '0',
        PUBLIC_RATE_LIMIT: '0',
        LOG_LEVEL: 'warn',
        DATABASE_PIPELINE: process.env['DATABASE_PIPELINE'],
        DATABASE_GENERIC_PLANS: process.env['DATABASE_GENERIC_PLANS'],
        ...('DATABASE_URL' in env ? { SECRET_KEYS: secretKeys } : {}),
        ...env,
      },
    });
    process.once('exit', () => child.kill());
    const ready = () =>
      fetch(`${url}/readyz`).then(
        answer => answer.ok,
        () => false,
      );
    await until('the hub is ready', async () => child.exitCode !== null || (await ready()), START_LIMIT_MS, 5);
    if (child.exitCode !== null) throw new Error('the hub did not start');
    return new HubProcess(url, performance.now() - began, child);
  }

  /** Process id of the hub. */
  get pid(): number {
    return this.child.pid!;
  }

  /** Ends the hub in good order, without the delay for load balancers. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGINT');
    await exit;
  }
}

/** A workspace of the benchmark's own. */
export interface Workspace {
  readonly id: string;
  readonly key: string;
}

/** Makes a workspace by the command that administrators use. */
export async function createWorkspace(databaseUrl: string, plan = 'scale'): Promise<Workspace> {
  const words = ['dist/admin/main.js', 'admin', 'workspace', 'create', '--name', 'Benchmark', '--plan', plan, '--json'];
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, SECRET_KEYS: secretKeys };
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env });
  const { workspace_id: id, api_key: key } = JSON.parse(stdout) as { workspace_id: string; api_key: string };
  return { id, key };
}
