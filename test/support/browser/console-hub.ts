import { findFreePort } from '#kernel/db/embedded/postgres-server.js';
import { createSetupCode } from '../../../src/auth-server/users/setup.service.js';
import { type Client, startTestHub, type TestHub } from '../hub.js';

/** A hub at an address that a browser can open: `PUBLIC_URL` is where it listens. */
export interface ConsoleHub extends TestHub {
  /** Returns the setup address of a workspace. */
  setupAddress(client: Client): Promise<string>;
}

/** Starts a hub for browsers. */
export async function startConsoleHub(settings: Record<string, string> = {}): Promise<ConsoleHub> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const hub = await startTestHub({ PORT: String(port), HOST: 'localhost', PUBLIC_URL: url, ...settings });
  const publicUrl = settings['PUBLIC_URL'] ?? url;
  return {
    ...hub,
    url,
    setupAddress: async ({ workspaceId }) => {
      const { code } = await hub.database.work.auth(tx => createSetupCode(tx, workspaceId));
      return `${publicUrl}/setup/${code}`;
    },
  };
}
