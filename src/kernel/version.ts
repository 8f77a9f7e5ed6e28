import { readFileSync } from 'node:fs';

/** Fields of the hub's package.json that clients and operators see. */
interface HubPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

/**
 * Name, version and description of the hub, read from its package.json at start. This is the only source of the hub's
 * version for OpenAPI, MCP, `/readyz`, `/metrics` and `rapport --version`.
 */
export const HUB_PACKAGE: HubPackage = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as HubPackage;
