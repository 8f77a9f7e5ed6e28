import type { Schemas } from '../api/schemas.ts';

/** Returns whether an integration works in this workspace: it is connected, or there is nothing to connect. */
export function isUsable({ state, connection, credentials_schema, sign_in }: Schemas['Integration']): boolean {
  if (state === 'locked' || state === 'failed') return false;
  return connection !== null || (credentials_schema === null && sign_in === null);
}
