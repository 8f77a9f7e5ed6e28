import type { CommandContext } from '../base/command-context.js';
import { formatFieldLines } from '../base/format.js';
import { printNotice } from '../base/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { whoAmI } from '../api/identity.js';
import { credentialsFile, saveCredentials } from '../settings/credentials.js';
import type { GrantedKey } from './device-grant.js';

/** Verifies a key with the hub and saves it. @throws CliError if the hub rejects it */
export async function saveKey(context: CommandContext, baseUrl: string, { apiKey, keyId }: GrantedKey): Promise<void> {
  const { terminal } = context;
  const { env } = terminal;
  const hub = new ApiClient(
    { baseUrl, baseUrlFrom: 'file', apiKey, ...(keyId !== undefined && { keyId }) },
    terminal.signal,
  );
  const { workspace, plan, key } = await whoAmI(hub);
  const key_id = keyId ?? key?.id ?? null;
  await saveCredentials(env, { base_url: baseUrl, api_key: apiKey, key_id });
  const file = credentialsFile(env);
  const overriding = ['RAPPORT_API_KEY', 'RAPPORT_API_KEY_FILE'].find(name => env[name]);
  if (overriding) printNotice(terminal, `Note: ${overriding} is set and overrides the saved key.`);
  context.print({ base_url: baseUrl, key_id, workspace, plan, file }, [
    `Signed in to ${workspace?.name ?? baseUrl}.`,
    ...formatFieldLines({ hub: baseUrl, plan, key: key_id, saved: file }),
  ]);
}
