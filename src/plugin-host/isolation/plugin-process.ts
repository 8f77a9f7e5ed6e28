import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Logger, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { compareManifest } from '#sdk/manifest/compare-manifest.js';
import type { PluginManifest } from '#sdk/manifest/manifest.js';
import type { PluginRun } from '#sdk/runs.js';
import type { StepResult } from '#sdk/run-rules.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import { settlesWithin, withTimeout } from '#kernel/scheduling/timeout.js';
import { PluginContainer, PluginStartError } from '../container/plugin-container.js';
import type { DiscoveredPackage, ManifestResult } from '../host/discover-plugins.js';
import { type CallHandler, type PluginDescription, toRemoteHandlers } from './plugin-description.js';
import { ProcessChannel } from './process-channel.js';

const MAIN = fileURLToPath(new URL('./plugin-process.main.js', import.meta.url));
/** Folder of the hub's package. */
const HUB_ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What a process of a plugin reads of the hub's package: its code, never its data. */
const READABLE_IN_ROOT = ['dist', 'node_modules', 'plugins', 'src/sdk', 'package.json'];

const START_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 12_000;

/** When a process counts as stuck in a loop, and is ended. */
export interface SilenceLimits {
  readonly pingIntervalMs: number;
  /** How long it may leave a ping without an answer. */
  readonly maxSilenceMs: number;
}

const SILENCE_LIMITS: SilenceLimits = { pingIntervalMs: 10_000, maxSilenceMs: 30_000 };
const MAX_LINE_LENGTH = 2_000;

/** The process of a plugin ended while it was needed. The call can be tried again, in a new process. */
export class PluginProcessEndedError extends Error {}

/** A child process and the channel to it. */
class ChildPlugin {
  private readonly channel: ProcessChannel;
  private readonly pings: PeriodicTimer;
  readonly ended: Promise<void>;
  hasEnded = false;

  constructor(
    private readonly child: ChildProcess,
    private readonly label: string,
    private readonly limits: SilenceLimits,
  ) {
    this.channel = new ProcessChannel({ send: message => void child.send(message as object) }, refuseCall);
    child.on('message', message => this.channel.receive(message));
    this.pings = new PeriodicTimer({ intervalMs: limits.pingIntervalMs, run: () => this.ping() });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const onEnd = (reason: string) => {
      this.hasEnded = true;
      void this.pings.stop();
      this.channel.close(new PluginProcessEndedError(`The process of ${this.label} ended (${reason}).`));
      resolve();
    };
    child.on('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
    child.on('error', error => onEnd(error.message));
  }

  call(command: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.channel.call(command, ...args);
  }

  /** Ends the process if it gets stuck. While it starts, loading its code can take long. */
  watch(): void {
    this.pings.start();
  }

  /** Lets running handlers finish, then ends the process. */
  async end(): Promise<void> {
    await settlesWithin(
      CLOSE_TIMEOUT_MS,
      this.call('close').catch(() => undefined),
    );
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async ping(): Promise<void> {
    const isAlive = await settlesWithin(
      this.limits.maxSilenceMs,
      this.call('ping').catch(() => undefined),
    );
    if (!isAlive) this.child.kill('SIGKILL');
  }
}

function refuseCall(): never {
  throw new Error('The process of a plugin calls nothing by itself.');
}

/** Starts a process that reads the files of a package and of the hub's code, and nothing else of the machine. */
function spawnPlugin({ name, folder }: DiscoveredPackage, limits = SILENCE_LIMITS): ChildPlugin {
  const readable = [...READABLE_IN_ROOT.map(each => path.join(HUB_ROOT, each)), folder, ...listModuleFolders(folder)];
  const child = fork(MAIN, [], {
    cwd: folder,
    env: { NO_COLOR: '1' },
    execArgv: ['--permission', ...readable.map(each => `--allow-fs-read=${each}`)],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log = new Logger(`plugin ${name}`);
  for (const output of [child.stdout!, child.stderr!])
    createInterface({ input: output }).on('line', line => log.log(line.slice(0, MAX_LINE_LENGTH)));
  return new ChildPlugin(child, `the plugin "${name}"`, limits);
}

/** Returns the folders in which Node looks for the packages that a plugin imports. */
function listModuleFolders(folder: string): string[] {
  const parents = [folder];
  while (path.dirname(parents[0]!) !== parents[0]) parents.unshift(path.dirname(parents[0]!));
  return parents.map(each => path.join(each, 'node_modules'));
}

/** Reads a manifest in a process of its own, because a manifest is code. Never throws, as in the hub's process. */
export async function readManifestApart(found: DiscoveredPackage): Promise<ManifestResult> {
  if (found.problem !== undefined) return { state: 'invalid', reason: found.problem };
  const child = spawnPlugin(found);
  try {
    const reading = child.call('readManifest', found) as Promise<ManifestResult>;
    return await withTimeout(START_TIMEOUT_MS, reading, 'reading the manifest');
  } catch (error) {
    return { state: 'invalid', reason: `The manifest cannot be read: ${(error as Error).message}` };
  } finally {
    await child.end();
  }
}

/** Stands for the module of the plugin in the hub's process, where the hub's own modules for it run. */
@Module({ providers: [] })
class IsolatedPluginModule {}

/** Runs a plugin in a process of its own, which is started again when it has ended and is needed. */
class IsolatedPlugin {
  private starting: Promise<ChildPlugin> | undefined;
  private child: ChildPlugin | undefined;
  private description: PluginDescription | undefined;
  private isClosed = false;

  constructor(
    private readonly found: DiscoveredPackage,
    private readonly manifest: PluginManifest,
    private readonly limits: SilenceLimits,
  ) {}

  /** Starts the process. @throws PluginStartError, TimeoutError */
  async start(): Promise<PluginDescription> {
    await this.getProcess();
    return this.description!;
  }

  readonly call: CallHandler = async (kind, place, args) => {
    const child = await this.getProcess();
    const result = await child.call('handle', kind, place, args);
    return kind === 'runs' ? toStepReturn(args[0] as PluginRun, result as StepResult) : result;
  };

  async close(): Promise<void> {
    this.isClosed = true;
    const child = await this.starting?.catch(() => undefined);
    await child?.end();
  }

  private getProcess(): Promise<ChildPlugin> {
    if (this.isClosed) return Promise.reject(new PluginStartError(`The plugin "${this.manifest.id}" is being closed.`));
    if (this.child?.hasEnded) this.starting = undefined;
    return (this.starting ??= this.spawn().catch((error: unknown) => {
      this.starting = undefined;
      throw error;
    }));
  }

  private async spawn(): Promise<ChildPlugin> {
    const child = spawnPlugin(this.found, this.limits);
    try {
      const starting = child.call('start', this.manifest, this.found.entryUrl) as Promise<PluginDescription>;
      const description = await withTimeout(START_TIMEOUT_MS, starting, 'its start');
      if (this.description && !isDeepStrictEqual(description, this.description))
        throw new PluginStartError('Its files have changed since it was loaded: reload it.');
      this.description = description;
      this.child = child;
      child.watch();
      return child;
    } catch (error) {
      void child.end();
      throw error;
    }
  }
}

function toStepReturn(run: PluginRun, result: StepResult): unknown {
  return result.kind === 'done' ? run.done(result.result) : result.state;
}

/**
 * Starts a plugin in a process of its own and compares its handlers with the manifest.
 * @param hubModules modules of the hub that run beside it, in the hub's process
 * @param limits when its process is ended because it is stuck. Default: after 30 s.
 * @throws PluginStartError with a sentence that says what to fix; TimeoutError
 */
export async function startIsolatedPlugin(
  manifest: PluginManifest,
  found: DiscoveredPackage,
  hubModules: readonly DynamicModule[],
  limits = SILENCE_LIMITS,
): Promise<PluginContainer> {
  const plugin = new IsolatedPlugin(found, manifest, limits);
  try {
    const handlers = toRemoteHandlers(await plugin.start(), plugin.call);
    const problems = compareManifest(manifest, handlers);
    if (problems.length > 0) throw new PluginStartError(problems.join(' '));
    const remote = { handlers, close: () => plugin.close() };
    return await PluginContainer.start(manifest.id, { default: IsolatedPluginModule }, hubModules, remote);
  } catch (error) {
    await plugin.close();
    throw error;
  }
}
