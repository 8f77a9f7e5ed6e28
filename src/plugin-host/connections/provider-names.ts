/** Aliases that clients use for a plugin ID. */
const ALIASES = new Map([
  ['cal_com', 'calcom'],
  ['cal.com', 'calcom'],
]);

/** Returns the plugin ID for a provider name or alias, in any case. */
export function toPluginId(provider: string): string {
  const name = provider.trim().toLowerCase();
  return ALIASES.get(name) ?? name.replaceAll('_', '-');
}
