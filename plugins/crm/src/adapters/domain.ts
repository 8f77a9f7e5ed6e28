/** Returns the host of a website without `www.`, which users write with and without its scheme; null if there is none. */
export function toDomain(website: string | null): string | null {
  if (website === null) return null;
  const url = website.includes('://') ? website : `https://${website}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : null;
}
