import { HUB_PACKAGE } from '#kernel/version.js';

/** Description of the server for clients. */
export const SERVER_INFO = {
  name: HUB_PACKAGE.name,
  title: 'Rapport',
  version: HUB_PACKAGE.version,
  description: HUB_PACKAGE.description,
};

/** What a server announces. Prompts are left out where there are none: a client would offer an empty menu. */
export interface ServerCapabilities {
  readonly tools: Capability;
  readonly resources: Capability;
  readonly prompts?: Capability;
  readonly logging: Capability;
}

type Capability = Record<string, boolean>;

/** Returns the capabilities up to revision 2025-11-25, which cannot announce list changes without sessions. */
export function listCapabilities2025(hasPrompts: boolean): ServerCapabilities {
  return { tools: {}, resources: {}, ...(hasPrompts && { prompts: {} }), logging: {} };
}

/** Returns the capabilities of revision 2026-07-28, where subscribed clients are notified of list changes. */
export function listCapabilities2026(hasPrompts: boolean): ServerCapabilities {
  const changing = { listChanged: true };
  return { tools: changing, resources: changing, ...(hasPrompts && { prompts: changing }), logging: {} };
}
