import type { CommandContext } from '../base/command-context.js';
import { formatFieldLines } from '../base/format.js';
import { printNotice } from '../base/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { whoAmI } from '../api/identity.js';
import { credentialsFile, saveCredentials } from '../settings/credentials.js';
import type { GrantedKey } from './device-grant.js';

/** Shows a key to the hub, and saves it when the hub takes it. */
export async function saveKey(desk: CommandContext, baseUrl: string, { apiKey, keyId }: GrantedKey): Promise<void> {
  const { terminal } = desk;
  const { env } = terminal;
  const hub = new ApiClient(
    { baseUrl, baseUrlFrom: 'file', apiKey, ...(keyId !== undefined && { keyId }) },
    terminal.signal,
  );
  const { workspace, plan, key } = await whoAmI(hub);
  const key_id = keyId ?? key?.id ?? null;
  await saveCredentials(env, { base_url: baseUrl, api_key: apiKey, key_id });
  const file = credentialsFile(env);
  if (env['RAPPORT_API_KEY']) printNotice(terminal, 'Mind that RAPPORT_API_KEY is set: it wins over what was saved.');
  desk.print({ base_url: baseUrl, key_id, workspace, plan, file }, [
    `Signed in to ${workspace?.name ?? baseUrl}.`,
    ...formatFieldLines({ hub: baseUrl, plan, key: key_id, saved: file }),
  ]);
}
