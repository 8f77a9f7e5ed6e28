import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

type Reply<Result> = { readonly result: Result } | { readonly error: string };

/** A process of the benchmark's own that does jobs, so that no side of a comparison shares an event loop with another. */
export class Helper<Job, Result> {
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  /** @param file relative to bench/, a program that calls `serve`. */
  static start<Job, Result>(file: string, settings: Record<string, string> = {}): Helper<Job, Result> {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const child = fork(path, { env: { ...process.env, ...settings }, stdio: ['ignore', 2, 2, 'ipc'] });
    return new Helper(child);
  }

  /** Process id. */
  get pid(): number {
    return this.child.pid!;
  }

  /** Has a job done; one at a time. @throws Error with what went wrong over there. */
  async ask(job: Job): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const gone = () => reject(new Error('a helper process has ended unexpectedly'));
    this.child.once('exit', gone);
    this.child.once('message', (reply: Reply<Result>) => {
      if ('error' in reply) reject(new Error(reply.error));
      else resolve(reply.result);
    });
    this.child.send(job as object);
    return promise.finally(() => this.child.off('exit', gone));
  }

  /** Ends the process. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.disconnect();
    await exit;
  }
}
