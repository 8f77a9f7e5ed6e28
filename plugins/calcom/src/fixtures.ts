import type { Json, JsonObject } from '@rapport/plugin-sdk';
import type { Fixtures, SentRequest, TestReply } from '@rapport/plugin-sdk/testing';

const created = {
  triggerEvent: 'BOOKING_CREATED',
  createdAt: '2026-01-04T09:30:01.250Z',
  payload: {
    uid: 'bkg-1',
    bookingId: 101,
    eventTypeId: 7,
    type: 'intro',
    title: 'Intro between Bob Host and Ada Byron',
    startTime: '2026-01-08T15:00:00Z',
    endTime: '2026-01-08T15:30:00Z',
    status: 'ACCEPTED',
    organizer: { id: 5, name: 'Bob Host', email: 'bob@seller.example', timeZone: 'Europe/Berlin' },
    attendees: [{ email: 'ada@example.org', name: 'Ada Byron', timeZone: 'Europe/London', language: { locale: 'en' } }],
  },
};

const listed = {
  id: 101,
  uid: 'bkg-1',
  status: 'accepted',
  title: 'Intro between Bob Host and Ada Byron',
  start: '2026-01-08T15:00:00.000Z',
  end: '2026-01-08T15:30:00.000Z',
  duration: 30,
  hosts: [{ id: 5, name: 'Bob Host', email: 'bob@seller.example', displayEmail: 'bob@seller.example' }],
  attendees: [
    { name: 'Ada Byron', email: 'ada@example.org', displayEmail: 'ada@example.org', timeZone: 'Europe/London' },
  ],
  eventType: { id: 7, slug: 'intro' },
  createdAt: '2026-01-04T09:30:00.000Z',
  updatedAt: null,
};

/** Cal.com, as far as the plugin uses it; it counts the subscriptions that stand. */
class FakeCalcom {
  private readonly webhooks = new Map<string, JsonObject>();

  subscriptions(): number {
    return this.webhooks.size;
  }

  answer({ method, url, headers, json }: SentRequest): TestReply | undefined {
    if (headers['authorization'] !== 'Bearer cal_test-api_key') return { status: 401, body: { status: 'error' } };
    if (url.pathname === '/v2/me') return success(200, { id: 5, username: 'bob', email: 'bob@seller.example' });
    if (url.pathname === '/v2/bookings') return this.bookings();
    if (url.pathname === '/v2/webhooks') return method === 'POST' ? this.subscribe(json) : this.listed();
    return this.webhook(method, url.pathname.slice('/v2/webhooks/'.length), json);
  }

  private bookings(): TestReply {
    return {
      status: 200,
      body: { status: 'success', data: [listed], pagination: { nextCursor: null, hasMore: false } },
    };
  }

  private listed(): TestReply {
    return success(200, [...this.webhooks.values()]);
  }

  private subscribe(json: Json | undefined): TestReply {
    const id = `w-${this.webhooks.size + 1}`;
    this.webhooks.set(id, { id, ...(json as JsonObject) });
    return success(201, { id });
  }

  private webhook(method: string, id: string, json: Json | undefined): TestReply {
    const webhook = this.webhooks.get(id);
    if (!webhook) return { status: 404, body: { status: 'error' } };
    if (method === 'DELETE') this.webhooks.delete(id);
    if (method === 'PATCH') this.webhooks.set(id, { ...webhook, ...(json as JsonObject) });
    return success(200, webhook);
  }
}

function success(status: number, data: Json): TestReply {
  return { status, body: { status: 'success', data } };
}

/** Examples of everything that the manifest declares, for `conformance` and `rapport plugin check`. */
export default {
  credentials: { api_key: 'cal_test-api_key' },
  provider: () => new FakeCalcom(),
  inbound: { bookings: created },
  events: { 'contact.imported': { entity_id: 'e-1', email: 'ada@example.org', name: 'Ada Byron', import_id: 'i-1' } },
  jobs: { backfill: { turn: 0 }, enumerate: { run: 'r-1', after: '' }, reconcile: null },
  tools: { calcom_list_bookings: { focus: 'ada@example.org' } },
  routes: {
    backfill: { body: { all: true } },
    progress: { params: { id: 'r-1' } },
    bookings: { query: { focus: 'ada@example.org' } },
  },
} satisfies Fixtures;
