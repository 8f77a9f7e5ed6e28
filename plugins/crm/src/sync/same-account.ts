import { PermanentError } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import type { Hub } from '../plugin.js';

const ACCOUNT_KEY = 'account';

/** The account that a connection is to. */
interface KnownAccount {
  readonly provider: string;
  /** Null if the CRM did not tell. */
  readonly id: string | null;
}

/**
 * Keeps which account the connection is to. What is remembered of its records has their IDs, which mean others elsewhere.
 * @throws PermanentError if the connection was turned to another CRM, or to another account, since the first sync
 */
export async function requireSameAccount(hub: Hub): Promise<void> {
  const { provider } = hub.settings;
  const known = (await hub.store.get<never>(ACCOUNT_KEY)) as KnownAccount | undefined;
  if (known && known.provider !== provider)
    throw new PermanentError(`This connection is to ${known.provider}: disconnect it, and connect ${provider} anew.`);
  const id = await adapterOf(hub).readAccount(hub);
  if (known && known.id !== null && id !== null && known.id !== id) {
    throw new PermanentError(
      `The access token is of the account ${id}, and this connection is to ${known.id}: disconnect it, and connect anew.`,
    );
  }
  await hub.store.put(ACCOUNT_KEY, { provider, id: id ?? known?.id ?? null });
}
