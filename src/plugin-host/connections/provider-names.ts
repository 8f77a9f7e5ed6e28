/** Names that clients use for a provider, beside the id of its plugin. */
const ALIASES = new Map([
  ['cal_com', 'calcom'],
  ['cal.com', 'calcom'],
]);

/** The id of the plugin that a client means. */
export function toPluginId(provider: string): string {
  const name = provider.trim().toLowerCase();
  return ALIASES.get(name) ?? name.replaceAll('_', '-');
}
