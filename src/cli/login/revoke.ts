import type { ApiClient } from '../api/api-client.js';
import { CliError, EXIT } from '../base/exit.js';
import { toCliError } from '../api/to-cli-error.js';
import { CLIENT_ID } from './device-grant.js';
import { fetchAuthorizationServer } from './metadata.js';

/**
 * Revokes the current key: by RFC 7009 if the hub supports it, otherwise as an API key of the workspace. A key that the
 * hub already rejects counts as revoked.
 * @returns whether this call revoked the key @throws CliError if the hub does not revoke it
 */
export async function revokeOwnKey(hub: ApiClient): Promise<boolean> {
  const { apiKey = '', keyId } = hub.settings;
  const server = await fetchAuthorizationServer(hub);
  if (server?.revocation !== undefined) {
    const form = { token: apiKey, token_type_hint: 'access_token', client_id: CLIENT_ID };
    const { status, body } = await hub.send('POST', server.revocation, { form, readsOnly: true });
    if (status === 200) return true;
    // The authorization server does not revoke keys that were created manually.
    if (status !== 400) throw toCliError(status, body, `POST ${server.revocation}`);
  }
  if (keyId === undefined) throw toUnknownKeyIdError();
  const path = `/v2/api-keys/${keyId}`;
  const { status, body } = await hub.send('DELETE', path);
  if (status === 401) return false;
  if (status !== 200) throw toCliError(status, body, `DELETE ${path}`);
  return true;
}

function toUnknownKeyIdError(): CliError {
  const hint = 'Revoke it with rapport keys revoke on a machine with an admin key, then run rapport logout --local.';
  return new CliError(
    EXIT.refused,
    'unknown_key_id',
    'The id of the saved key is not known, so it cannot be revoked from here.',
    {
      hint,
    },
  );
}
