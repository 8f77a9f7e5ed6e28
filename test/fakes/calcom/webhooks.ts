import { createHmac } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** A subscription as the provider keeps it. */
export interface Hook {
  readonly id: string;
  readonly userId: number;
  readonly subscriberUrl: string;
  active: boolean;
  triggers: readonly string[];
  secret?: string;
  payloadTemplate: string | null;
}

/** What an answer of the webhooks endpoints is: a status and its data, or its message. */
export type HookAnswer = { readonly status: number; readonly data?: unknown; readonly message?: string };

const KNOWN = new Set([
  'BOOKING_CREATED',
  'BOOKING_RESCHEDULED',
  'BOOKING_CANCELLED',
  'BOOKING_REQUESTED',
  'MEETING_ENDED',
]);
const inside = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(net, prefix);
}

/** The subscriptions of one user. */
export class Hooks {
  readonly all = new Map<string, Hook>();
  private readonly userId: number;
  private made = 0;

  constructor(userId: number) {
    this.userId = userId;
  }

  /** Answers a request below /v2/webhooks. */
  answer(method: string, id: string, query: URLSearchParams, body: Partial<Hook>): HookAnswer {
    if (id === '') return method === 'POST' ? this.create(body) : this.page(query);
    const hook = this.all.get(id);
    if (!hook) return { status: 404, message: 'Webhook not found' };
    if (method === 'DELETE') this.all.delete(id);
    if (method === 'PATCH') Object.assign(hook, body);
    return { status: 200, data: hook };
  }

  /** Puts a subscription in that somebody else has made. */
  add(subscriberUrl: string): Hook {
    const id = `hk${++this.made}x`;
    const hook = { id, userId: this.userId, subscriberUrl, active: true, triggers: ['BOOKING_CREATED'] };
    this.all.set(id, { ...hook, payloadTemplate: null });
    return this.all.get(id)!;
  }

  private create({ subscriberUrl = '', active = true, triggers = [], secret }: Partial<Hook>): HookAnswer {
    if (!isPublic(subscriberUrl)) return { status: 400, message: `Webhook URL is not allowed: ${subscriberUrl}` };
    if (triggers.some(trigger => !KNOWN.has(trigger))) return { status: 400, message: 'triggers must be valid' };
    if ([...this.all.values()].some(hook => hook.subscriberUrl === subscriberUrl)) {
      return { status: 409, message: 'Webhook with this subscriber url already exists for this user' };
    }
    const hook = this.add(subscriberUrl);
    Object.assign(hook, { active, triggers, ...(secret !== undefined && { secret }) });
    return { status: 201, data: hook };
  }

  private page(query: URLSearchParams): HookAnswer {
    const [take, skip] = [Number(query.get('take') ?? 250), Number(query.get('skip') ?? 0)];
    return { status: 200, data: [...this.all.values()].slice(skip, skip + take) };
  }
}

/** Signs a body as the provider does; the header has fixed words where there is no secret. */
export function signatureOf(body: string, secret: string | undefined): string {
  return secret === undefined ? 'no-secret-provided' : createHmac('sha256', secret).update(body).digest('hex');
}

function isPublic(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && hostname !== 'localhost' && !(isIP(hostname) === 4 && inside.check(hostname));
}
