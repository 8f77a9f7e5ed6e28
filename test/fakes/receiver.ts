import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type FakeWeb, type Seen, startFakeWeb } from './fake-web.js';

/** What a receiver does with what it is sent. */
export type Mood =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly kind: 'hang' }
  /** Promises more than it sends, and hangs up. */
  | { readonly kind: 'truncated' }
  | { readonly kind: 'reset' };

/** A message as it arrived. */
export interface Received extends Seen {
  readonly id: string;
}

/** A receiver of webhooks, on loopback, that verifies by `standardwebhooks` what it takes. */
export class Receiver {
  /** By path; others are answered 204. */
  private readonly moods = new Map<string, Mood>();
  /** Secrets by path. */
  readonly secrets = new Map<string, string>();

  private constructor(private readonly web: FakeWeb) {}

  static async start(): Promise<Receiver> {
    let receiver: Receiver | undefined;
    const web = await startFakeWeb((seen, response) => receiver?.answer(seen, response));
    receiver = new Receiver(web);
    return receiver;
  }

  /** Address of a path, by a name. */
  url(path: string): string {
    return `http://localhost:${this.web.port}${path}`;
  }

  get port(): number {
    return this.web.port;
  }

  /** From now on this path answers so; without a mood it takes everything. */
  behave(path: string, mood?: Mood): void {
    if (mood) this.moods.set(path, mood);
    else this.moods.delete(path);
  }

  /** What came to a path, oldest first. */
  at(path: string): Received[] {
    const own = this.web.seen.filter(({ url }) => url === path);
    return own.map(seen => ({ ...seen, id: String(seen.headers['webhook-id']) }));
  }

  /** What it says, when the signature is right. @throws when it is not */
  verified<Body>(path: string, { body, headers }: Seen): Body {
    return new Webhook(this.secrets.get(path)!).verify(body, headers as Record<string, string>) as Body;
  }

  close(): Promise<void> {
    return this.web.close();
  }

  private answer({ url }: Seen, response: ServerResponse): void {
    const mood = this.moods.get(url) ?? { kind: 'status', status: 204 };
    if (mood.kind === 'hang') return;
    if (mood.kind === 'reset') return void response.destroy();
    if (mood.kind === 'status') return void response.writeHead(mood.status, mood.headers).end();
    response.writeHead(200, { 'content-length': '1000' }).write('cut');
    setImmediate(() => response.destroy());
  }
}
