import { findFreePort } from '#kernel/db/embedded/postgres-server.js';
import { createSetupCode } from '../../../src/auth-server/setup/setup.service.js';
import { type Client, startTestHub, type TestHub } from '../hub.js';

/** A hub at an address that a browser can open: `PUBLIC_URL` is where it listens. */
export interface ConsoleHub extends TestHub {
  /** Returns the setup address of a workspace. */
  setupAddress(client: Client): Promise<string>;
}

/** Settings of a hub for browsers, which may depend on its address. */
export type ConsoleHubSettings = Record<string, string> | ((url: string) => Promise<Record<string, string>>);

/** Starts a hub for browsers. */
export async function startConsoleHub(settings: ConsoleHubSettings = {}): Promise<ConsoleHub> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const own = typeof settings === 'function' ? await settings(url) : settings;
  const hub = await startTestHub({ PORT: String(port), HOST: 'localhost', PUBLIC_URL: url, ...own });
  const publicUrl = own['PUBLIC_URL'] ?? url;
  return {
    ...hub,
    url,
    setupAddress: async ({ workspaceId }) => {
      const { code } = await hub.database.work.auth(tx => createSetupCode(tx, workspaceId));
      return `${publicUrl}/setup/${code}`;
    },
  };
}
