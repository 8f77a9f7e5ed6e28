import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  name: string;
  version: string;
  description: string;
};

/** How the server introduces itself to clients. */
export const SERVER_INFO = {
  name: manifest.name,
  title: 'Rapport',
  version: manifest.version,
  description: manifest.description,
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
