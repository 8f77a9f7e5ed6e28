/** Names that clients use for a provider, beside the id of its plugin. */
const aliases = new Map([
  ['cal_com', 'calcom'],
  ['cal.com', 'calcom'],
]);

/** The id of the plugin that a client means. */
export function pluginOf(provider: string): string {
  const name = provider.trim().toLowerCase();
  return aliases.get(name) ?? name.replaceAll('_', '-');
}
