import type { Hub } from '../plugin.js';
import type { CrmAdapter } from './adapter.js';
import { attio } from './attio/attio.js';
import { hubspot } from './hubspot/hubspot.js';
import { pipedrive } from './pipedrive/pipedrive.js';
import { salesforce } from './salesforce/salesforce.js';

/** Adapters by the value of the setting `provider`. */
const ADAPTERS: Readonly<Record<Hub['settings']['provider'], CrmAdapter>> = { attio, hubspot, pipedrive, salesforce };

/** Returns the adapter of the CRM that the workspace is connected to. */
export function adapterOf(hub: Hub): CrmAdapter {
  return ADAPTERS[hub.settings.provider];
}
