import { fileURLToPath } from 'node:url';
import { bookingWith, type Row } from '../../fakes/calcom/bookings.ts';
import { type Account, FakeCalcom } from '../../fakes/calcom/server.ts';
import { wholeTimeline } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

/** The plugins that come with the hub. */
export const PLUGINS_DIR = fileURLToPath(new URL('../../../plugins', import.meta.url));

/** A hub with a Cal.com beside it, which is told a public address of the hub. */
export interface CalcomStage {
  readonly hub: TestHub;
  readonly calcom: FakeCalcom;
  /** A workspace that is connected, with its user at Cal.com. */
  connected(key: string): Promise<{ client: Client; account: Account }>;
  /** All jobs of plugins have been done, and all events delivered. */
  idle(): Promise<boolean>;
  end(): Promise<void>;
}

/** Starts both. */
export async function startCalcomStage(settings: Record<string, string> = {}): Promise<CalcomStage> {
  const calcom = await FakeCalcom.start();
  const hub = await startTestHub({
    PLUGINS_DIR,
    CALENDAR_API_URL: calcom.url,
    PUBLIC_URL: 'https://hub.seller.example',
    ...settings,
  });
  // What runs by itself runs when a test says so.
  await hub.database.pool.query(`INSERT INTO plugin_schedules VALUES ('calcom', 'reconcile', 1e15)`);
  return {
    hub,
    calcom,
    connected: async key => {
      const [client, account] = [await hub.workspace(), calcom.account(key)];
      const { status, body } = await connect(client, key);
      if (status !== 201) throw new Error(`connecting was answered ${status}: ${JSON.stringify(body)}`);
      return { client, account };
    },
    idle: async () => {
      const { rows } = await hub.database.pool.query<{ n: number }>(
        'SELECT (SELECT count(*) FROM plugin_jobs)::int + (SELECT count(*) FROM outbox)::int AS n',
      );
      return rows[0]!.n === 0;
    },
    end: async () => {
      await hub.end();
      await calcom.close();
    },
  };
}

/** Connects with a key and gives the answer whatever it is. */
export const connect = (client: Client, api_key: string) =>
  client.post<{ error?: string; detail?: string }>('/v2/workspace/integrations', {
    provider: 'calcom',
    credentials: { api_key },
  });

/** The connection as its workspace sees it. */
export async function integration(client: Client) {
  const { body } = await client.get<{ integrations: Integration[] }>('/v2/workspace/integrations');
  return body.integrations.find(({ provider }) => provider === 'calcom')!;
}

interface Integration {
  readonly provider: string;
  readonly state: string;
  readonly connection: {
    webhook_active: boolean | null;
    last_event_at: string | null;
    last_error: string | null;
  } | null;
}

/** The meetings on the timeline of a contact, `scheduled` or `cancelled` with the uid, oldest first. */
export async function meetingsOf(client: Client, email: string): Promise<string[]> {
  if ((await client.get(`/v2/accounts/${email}`)).status === 404) return [];
  const timeline = await wholeTimeline(client, email);
  return timeline
    .filter(({ property }) => property.startsWith('interaction.meeting_'))
    .map(({ property, value }) => `${property.slice(20)} ${(value as { booking_uid: string }).booking_uid}`)
    .toReversed();
}

/** So many bookings with one contact. */
export function bookingsWith(email: string, count: number, more: Partial<Row> = {}): Row[] {
  const start = (n: number) => new Date(Date.UTC(2026, 0, 1, 9) + n * 3_600_000).toISOString();
  return Array.from({ length: count }, (_, n) => bookingWith([email], { start: start(n), ...more }));
}
