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

/**
 * What it can do. The list of tools is not announced when it changes: clients ask again after its `ttlMs`.
 */
export const CAPABILITIES = { tools: {}, logging: {} };
