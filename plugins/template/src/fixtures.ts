import type { Fixtures, SentRequest, TestReply } from '@rapport/plugin-sdk/testing';

const call = {
  id: 'c-1',
  ended_at: '2026-01-05T10:12:00Z',
  seconds: 720,
  outcome: 'connected',
  with: { email: 'ada@example.org', name: 'Ada Byron' },
};

/** Acme Dialer, as far as the plugin uses it; it counts the subscriptions that stand. */
class FakeAcmeDialer {
  private readonly webhooks = new Set<string>();

  subscriptions(): number {
    return this.webhooks.size;
  }

  answer({ method, url, headers }: SentRequest): TestReply | undefined {
    if (headers['authorization'] !== 'Bearer test-api_key') return { status: 401, body: { error: 'unknown key' } };
    if (url.pathname === '/v1/me') return { status: 200, body: { id: 'u-1' } };
    if (url.pathname === '/v1/calls') return { status: 200, body: { calls: [call] } };
    if (url.pathname === '/v1/webhooks') return this.subscribe();
    return this.webhook(method, url.pathname.slice('/v1/webhooks/'.length));
  }

  private subscribe(): TestReply {
    const id = `w-${this.webhooks.size + 1}`;
    this.webhooks.add(id);
    return { status: 201, body: { id } };
  }

  private webhook(method: string, id: string): TestReply {
    if (!this.webhooks.has(id)) return { status: 404 };
    if (method === 'DELETE') this.webhooks.delete(id);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { id } };
  }
}

/** Examples of everything that the manifest declares, for `conformance` and `rapport plugin check`. */
export default {
  credentials: { api_key: 'test-api_key' },
  provider: () => new FakeAcmeDialer(),
  inbound: { calls: { event: 'call.ended', call } },
  events: { 'contact.imported': { entity_id: 'e-1', email: 'ada@example.org', name: 'Ada Byron', import_id: 'i-1' } },
  jobs: { backfill: { email: 'ada@example.org' } },
  tools: { acme_dialer_list_calls: { email: 'ada@example.org' } },
  routes: { calls: { query: { focus: 'ada@example.org' } } },
} satisfies Fixtures;
