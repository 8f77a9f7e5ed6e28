import { HUB_PACKAGE } from '#kernel/version.js';

/** How the server introduces itself to clients. */
export const SERVER_INFO = {
  name: HUB_PACKAGE.name,
  title: 'Rapport',
  version: HUB_PACKAGE.version,
  description: HUB_PACKAGE.description,
};

/** What it can do. Revisions up to 2025-11-25 have no way to announce a changed list to a server without sessions. */
export const CAPABILITIES_2025 = { tools: {}, resources: {}, prompts: {}, logging: {} };

/** The same at 2026-07-28, where whoever listens is told when a list has changed. */
export const CAPABILITIES_2026 = {
  ...CAPABILITIES_2025,
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
};
