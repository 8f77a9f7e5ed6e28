import type { PluginManifest } from './manifest.js';

const SETTING = /\{settings\.([^{}]+)\}/g;

/**
 * Fills settings into an address of an `OAuth2Manifest`.
 */
export function resolveOAuth2Url(template: string, settings: Readonly<Record<string, unknown>>): string {
  return template.replace(SETTING, (_, field: string) => String(settings[field] ?? ''));
}

/**
 * Checks rules about sign-in that the JSON Schema of the manifest cannot express.
 * @returns one sentence per fault; empty if there is none
 */
export function checkOAuth2({ oauth2, http, settings }: PluginManifest): string[] {
  if (!oauth2) return [];
  const properties = (settings?.['properties'] ?? {}) as Record<string, { enum?: unknown } | undefined>;
  const addresses = [oauth2.authorizeUrl, oauth2.tokenUrl, oauth2.revokeUrl ?? ''];
  const referenced = addresses.flatMap(address => [...address.matchAll(SETTING)].map(([, field]) => field!));
  return [
    ...(http
      ? []
      : ['"oauth2" needs "http" with the hosts of the provider, so that tokens are sent to no other host.']),
    ...[...new Set(referenced)]
      .filter(field => !Array.isArray(properties[field]?.enum))
      .map(field => `"oauth2" takes an address from the setting "${field}": declare it with an "enum".`),
  ];
}
