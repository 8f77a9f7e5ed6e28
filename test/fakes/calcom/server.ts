import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { filtered, type Row, shownBooking } from './bookings.ts';
import { actOut, errorBody, type Fault, Faults } from './faults.ts';
import type { Envelope } from './payloads.ts';
import { faultIn } from './requests.ts';
import { type Hook, Hooks, signatureOf } from './webhooks.ts';

/** A user of the fake, known by the API key. */
export interface Account {
  readonly key: string;
  readonly hooks: Hooks;
  readonly bookings: Row[];
}

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

const WINDOW_S = 60;

/** Cal.com as far as the calendar plugin meets it: a real HTTP server on loopback, with faults on demand. */
export class FakeCalcom {
  readonly faults = new Faults();
  /** Every request so far. */
  readonly asked: Asked[] = [];
  /** What was wrong with requests by what the provider publishes; they were answered 400. */
  readonly refused: string[] = [];
  /** Requests of a window of 60 s (here: until it is set anew) that a key may still send. */
  remaining = 120;
  /** What the header says of the rest of the window, in seconds. */
  reset = WINDOW_S;
  private readonly accounts = new Map<string, Account>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  /** Starts one on a free port. */
  static async start(): Promise<FakeCalcom> {
    const fake = new FakeCalcom();
    await new Promise<void>(resolve => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A user with a key. */
  account(key: string): Account {
    const account = { key, hooks: new Hooks(this.accounts.size + 1), bookings: [] };
    this.accounts.set(key, account);
    return account;
  }

  /** The requests for bookings. */
  get listings(): Asked[] {
    return this.asked.filter(({ path }) => path === '/v2/bookings');
  }

  /** Sends a webhook, signed with the secret of the subscription. @param to where it goes instead of its public address */
  deliver({ subscriberUrl, secret }: Hook, envelope: Envelope | string, to: string): Promise<Response> {
    const body = typeof envelope === 'string' ? envelope : JSON.stringify(envelope);
    const headers = {
      'content-type': 'application/json',
      'x-cal-signature-256': signatureOf(body, secret),
      'x-cal-webhook-version': '2021-10-20',
    };
    return fetch(to + new URL(subscriberUrl).pathname, { method: 'POST', headers, body, redirect: 'manual' });
  }

  /** Ends it, with whatever hangs. */
  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise(resolve => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://fake');
    const body = await text(request);
    const method = request.method!;
    this.asked.push({ method, path, query, headers: request.headers });
    const fault = this.faults.meeting(method, path);
    if (actOut(fault, request, response)) return;
    const wrong = faultIn({ method, path, query, headers: request.headers, body });
    if (wrong !== undefined) this.refused.push(`${method} ${path}: ${wrong}`);
    const account = this.accounts.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    const limited = account && this.remaining-- <= 0;
    const { status, data, message, pagination } = !account
      ? { status: 401, message: 'Invalid API Key' }
      : limited
        ? { status: 429, message: 'Too many requests' }
        : wrong !== undefined
          ? { status: 400, message: wrong }
          : answerOf(account, { method, path, query, headers: request.headers }, body, fault);
    if (fault?.kind === 'lost-answer') return void response.destroy();
    response.setHeader('X-RateLimit-Limit-Default', '120');
    response.setHeader('X-RateLimit-Remaining-Default', String(Math.max(this.remaining, 0)));
    response.setHeader('X-RateLimit-Reset-Default', String(this.reset));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      status < 300 ? JSON.stringify({ status: 'success', data, pagination }) : errorBody(request, status, message),
    );
  }
}

interface Answer {
  readonly status: number;
  readonly data?: unknown;
  readonly message?: string;
  readonly pagination?: object;
}

function answerOf({ key, hooks, bookings }: Account, requests: Asked, body: string, fault: Fault | undefined): Answer {
  const { method, path, query } = requests;
  if (path === '/v2/me') return { status: 200, data: { id: 1, username: `user-of-${key.slice(-3)}`, timeFormat: 12 } };
  if (path === '/v2/bookings') return listed(bookings, requests, fault);
  const [, id] = /^\/v2\/webhooks\/?([^/]*)$/.exec(path) ?? [];
  if (id === undefined) return { status: 404, message: `Cannot ${method} ${path}` };
  return hooks.answer(method, id, query, body === '' ? {} : (JSON.parse(body) as Partial<Hook>));
}

/** A missing or other version silently selects an older form. */
function listed(bookings: readonly Row[], { query, headers }: Asked, fault: Fault | undefined): Answer {
  const isOld = fault?.kind === 'old-shape' || headers['cal-api-version'] !== '2026-05-01';
  const limit = Number((isOld ? query.get('take') : undefined) ?? query.get('limit') ?? 50);
  if (limit < 1 || limit > 100) return { status: 400, message: 'limit must not be greater than 100' };
  const rows = filtered(bookings, query, fault?.kind === 'ignored-filter');
  const from = Number(isOld ? (query.get('skip') ?? 0) : (query.get('cursor') ?? 0));
  const data = rows.slice(from, from + limit).map(row => shownBooking(row, 100 + bookings.indexOf(row)));
  const isMore = from + limit < rows.length;
  const pagination = isOld
    ? { totalItems: rows.length, returnedItems: data.length, itemsPerPage: limit, hasNextPage: isMore }
    : { nextCursor: isMore ? String(from + limit) : null, hasMore: isMore };
  return { status: 200, data, pagination };
}
