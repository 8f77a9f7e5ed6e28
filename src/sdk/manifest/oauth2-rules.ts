import type { PluginManifest } from './manifest.js';
import type { OAuth2ByProvider, OAuth2Manifest } from './oauth2-manifest.js';

const SETTING = /\{settings\.([^{}]+)\}/g;

/** Sign-in at one provider. */
export interface ProviderSignIn {
  /** Value of the setting that selects it; null if the plugin has one provider. */
  readonly value: string | null;
  /** Name of its client in `OAUTH_CLIENTS`. */
  readonly client: string;
  /** Name of the provider. */
  readonly name: string;
  readonly oauth2: OAuth2Manifest;
}

/** Lists the providers at which people can sign in. */
export function listSignIns({ id, displayName, oauth2 }: PluginManifest): ProviderSignIn[] {
  if (!oauth2) return [];
  if (!isByProvider(oauth2)) return [{ value: null, client: id, name: oauth2.providerName ?? displayName, oauth2 }];
  return Object.entries(oauth2.providers).map(([value, own]) => ({
    value,
    client: `${id}:${value}`,
    name: own.providerName ?? displayName,
    oauth2: own,
  }));
}

/**
 * Returns the sign-in that the settings of a connection select; undefined if there is none, so that credentials are pasted.
 * @param settings settings with or without defaults
 */
export function selectSignIn(
  manifest: PluginManifest,
  settings: Readonly<Record<string, unknown>>,
): ProviderSignIn | undefined {
  const all = listSignIns(manifest);
  const name = signInSetting(manifest);
  if (name === null) return all[0];
  const value = settings[name] ?? listProperties(manifest)[name]?.default;
  return all.find(each => each.value === value);
}

/** Returns the setting that says at which provider people sign in; null if the plugin has one provider or none. */
export function signInSetting({ oauth2 }: PluginManifest): string | null {
  return oauth2 && isByProvider(oauth2) ? oauth2.setting : null;
}

/** Fills settings into an address of an `OAuth2Manifest`. */
export function resolveOAuth2Url(template: string, settings: Readonly<Record<string, unknown>>): string {
  return template.replace(SETTING, (_, field: string) => String(settings[field] ?? ''));
}

/** Returns the settings that are parts of the addresses of a sign-in. */
export function listOAuth2Settings({ authorizeUrl, tokenUrl, revokeUrl = '' }: OAuth2Manifest): string[] {
  const addresses = [authorizeUrl, tokenUrl, revokeUrl];
  return [...new Set(addresses.flatMap(address => [...address.matchAll(SETTING)].map(([, field]) => field!)))];
}

/**
 * Checks rules about sign-in that the JSON Schema of the manifest cannot express.
 * @returns one sentence per fault; empty if there is none
 */
export function checkOAuth2(manifest: PluginManifest): string[] {
  const { oauth2, http } = manifest;
  if (!oauth2) return [];
  const properties = listProperties(manifest);
  const referenced = listSignIns(manifest).flatMap(({ oauth2: own }) => listOAuth2Settings(own));
  return [
    ...(http
      ? []
      : ['"oauth2" needs "http" with the hosts of the provider, so that tokens are sent to no other host.']),
    ...[...new Set(referenced)]
      .filter(field => !Array.isArray(properties[field]?.enum))
      .map(field => `"oauth2" takes an address from the setting "${field}": declare it with an "enum".`),
    ...(isByProvider(oauth2) ? checkProviders(oauth2, properties[oauth2.setting]?.enum) : []),
  ];
}

function checkProviders({ setting, providers }: OAuth2ByProvider, values: unknown): string[] {
  if (!Array.isArray(values)) return [`"oauth2" is selected by the setting "${setting}": declare it with an "enum".`];
  return Object.keys(providers)
    .filter(value => !values.includes(value))
    .map(
      value => `"oauth2" has the provider "${value}", which the setting "${setting}" cannot have: add it to "enum".`,
    );
}

function isByProvider(oauth2: OAuth2Manifest | OAuth2ByProvider): oauth2 is OAuth2ByProvider {
  return 'providers' in oauth2;
}

/** What the rules look at in a setting. */
interface SettingSchema {
  readonly enum?: unknown;
  readonly default?: unknown;
}

function listProperties({ settings }: PluginManifest): Readonly<Record<string, SettingSchema | undefined>> {
  return (settings?.['properties'] ?? {}) as Record<string, SettingSchema | undefined>;
}
