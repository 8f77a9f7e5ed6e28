import { HUB_PACKAGE } from '#kernel/version.js';

/** Description of the server for clients. */
export const SERVER_INFO = {
  name: HUB_PACKAGE.name,
  title: 'Rapport',
  version: HUB_PACKAGE.version,
  description: HUB_PACKAGE.description,
};

/** Capabilities up to revision 2025-11-25, which cannot announce list changes without sessions. */
export const CAPABILITIES_2025 = { tools: {}, resources: {}, prompts: {}, logging: {} };

/** Capabilities of revision 2026-07-28, where subscribed clients are notified of list changes. */
export const CAPABILITIES_2026 = {
  ...CAPABILITIES_2025,
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
};
