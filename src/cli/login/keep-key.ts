import type { Desk } from '../base/desk.js';
import { pairs } from '../base/lines.js';
import { say } from '../base/terminal.js';
import { Hub } from '../hub/hub.js';
import { identify } from '../hub/identity.js';
import { credentialsFile, saveCredentials } from '../settings/credentials.js';
import type { Granted } from './device-grant.js';

/** Shows a key to the hub, and saves it when the hub takes it. */
export async function keepKey(desk: Desk, baseUrl: string, { apiKey, keyId }: Granted): Promise<void> {
  const { terminal } = desk;
  const { env } = terminal;
  const hub = new Hub({ baseUrl, baseUrlFrom: 'file', apiKey, ...(keyId !== undefined && { keyId }) }, terminal.signal);
  const { workspace, plan, key } = await identify(hub);
  const key_id = keyId ?? key?.id ?? null;
  await saveCredentials(env, { base_url: baseUrl, api_key: apiKey, key_id });
  const file = credentialsFile(env);
  if (env['RAPPORT_API_KEY']) say(terminal, 'Mind that RAPPORT_API_KEY is set: it wins over what was saved.');
  desk.answer({ base_url: baseUrl, key_id, workspace, plan, file }, [
    `Signed in to ${workspace?.name ?? baseUrl}.`,
    ...pairs({ hub: baseUrl, plan, key: key_id, saved: file }),
  ]);
}
