import { fileURLToPath } from 'node:url';
import type { FakeCrm } from '../../fakes/crm/fake-crm.ts';
import { FakeHubspot } from '../../fakes/hubspot/server.ts';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

/** Folder of the bundled plugins. */
export const PLUGINS_DIR = fileURLToPath(new URL('../../../plugins', import.meta.url));

/** A hub and the CRM that it syncs with. */
export interface CrmStage {
  readonly hub: TestHub;
  readonly hubspot: FakeHubspot;
}

/** Starts a hub with the plugin and an empty fake of the CRM for a suite, and ends both after it. */
export function setUpCrm(): CrmStage {
  const stage = {} as { hub: TestHub; hubspot: FakeHubspot };
  beforeAll(async () => {
    stage.hubspot = await FakeHubspot.start();
    stage.hub = await startTestHub({ PLUGINS_DIR, EGRESS_ALLOWLIST: '127.0.0.1' });
  });
  afterAll(async () => {
    await stage.hub?.end();
    await stage.hubspot?.close();
  });
  return stage;
}

/** A run of the sync. */
export interface SyncRunRow {
  readonly status: string;
  readonly error: string | null;
  readonly reported: number;
  readonly result: {
    readonly counts: Record<string, object>;
    readonly samples?: readonly object[];
    readonly push: Record<string, number> | null;
    readonly push_samples?: readonly object[];
    readonly waits_for_approval?: boolean;
  };
}

/** Connects a workspace to the fake. */
export function connectCrm(client: Client, crm: FakeCrm, settings: object = {}, access_token = crm.token) {
  return client.post<{ detail?: string }>('/v2/workspace/integrations', {
    provider: 'crm',
    credentials: { access_token },
    settings: { provider: crm.provider, api_url: crm.url, ...crm.settings, ...settings },
  });
}

/** Waits for the end of a run. */
export function awaitSync(client: Client, id: string): Promise<SyncRunRow> {
  return until('the sync has ended', async () => {
    const { body } = await client.get<SyncRunRow & { run?: SyncRunRow }>(`/v2/plugins/crm/runs/${id}`);
    const run = body.run ?? body;
    return ['finished', 'failed'].includes(run.status) && run;
  });
}

/** Starts a sync and waits for its end. */
export async function runSync(client: Client, body: object = {}, path = 'sync'): Promise<SyncRunRow> {
  const started = await client.post<{ run: string }>(`/v2/plugins/crm/${path}`, body);
  expect(started.status).toBe(202);
  return awaitSync(client, started.body.run);
}
