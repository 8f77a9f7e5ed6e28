/** Display names of the known sections. Any other slug is a section too. */
const displayNames: Readonly<Record<string, string>> = {
  icp: 'ICP',
  market: 'Market',
  products: 'Product',
  pricing: 'Pricing',
  competitors: 'Competitors',
  positioning: 'Positioning',
  gtm_motion: 'GTM Motion',
  messaging: 'Messaging',
  proof: 'Proof',
  profile: 'Profile',
  notes: 'Notes',
};

/** Aliases of sections, as slugs. */
const aliases: Readonly<Record<string, string>> = {
  product: 'products',
  price: 'pricing',
  competitor: 'competitors',
  competition: 'competitors',
  gtm: 'gtm_motion',
  go_to_market: 'gtm_motion',
  go_to_market_motion: 'gtm_motion',
  ideal_customer_profile: 'icp',
  note: 'notes',
};

const SLUG = /^[a-z_]{1,40}$/;

/** The section that holds note entries instead of one text. */
export const NOTES_SECTION = 'notes';

/** The section with the profile of the workspace. */
export const PROFILE_SECTION = 'profile';

/** The section with the model of the ideal customer. */
export const ICP_SECTION = 'icp';

/** The sections that every workspace should fill, in display order. */
export const KNOWN_SECTIONS: readonly string[] = Object.keys(displayNames);

/**
 * Parses the slug of a section in any case or spelling: `GTM Motion`, `gtm-motion` and `gtmMotion` are `gtm_motion`.
 * Undefined unless it has 1 to 40 letters and underscores.
 */
export function parseSection(text: string): string | undefined {
  const words = text.normalize('NFKC').replace(/([a-z])([A-Z])/g, '$1_$2');
  const slug = words
    .toLowerCase()
    .replace(/[\s_.-]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '');
  if (!SLUG.test(slug)) return undefined;
  return Object.hasOwn(aliases, slug) ? aliases[slug] : slug;
}

/** Returns the display name of a section: `GTM Motion`, `Sales Plays`. */
export function formatSectionName(section: string): string {
  const known = Object.hasOwn(displayNames, section) ? displayNames[section] : undefined;
  return known ?? section.replaceAll('_', ' ').replace(/(?:^|\s)[a-z]/g, letter => letter.toUpperCase());
}
