import { decodePercent, hasControlCharacters, normalizeText } from './focus-text.js';
import { toInvalidFocus, type EntityType, type InvalidFocus, type LinkedinFocus } from './types.js';

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?(?:[a-z0-9-]+\.)*linkedin\.com\.?(?::\d+)?\/+([^?#]*)/i;
const MENTION = /(?:^|[\s/(<,;:])(?:[a-z0-9-]+\.)*linkedin\.com\/+(?:in|pub|company|school|showcase|sales)\//i;
const ENTITY_TYPES_BY_KIND = new Map<string, EntityType>([
  ['in', 'person'],
  ['pub', 'person'],
  ['company', 'company'],
  ['school', 'company'],
  ['showcase', 'company'],
]);
// LinkedIn allows 100; older slugs can be longer.
const MAX_SLUG_LENGTH = 200;
const FORBIDDEN_IN_SLUG = /[\s/\\?#%<>"]/;
const PUB_ID_COUNT = 3;

/**
 * Parses a LinkedIn profile or company page. Country hosts, queries, locale suffixes (`/de`) and `/recent-activity` are
 * dropped. Undefined if the text is not a LinkedIn URL with a path (`linkedin.com` alone is the domain of a company).
 */
export function parseLinkedin(text: string): LinkedinFocus | InvalidFocus | undefined {
  const path = ADDRESS.exec(text)?.[1];
  if (path === undefined && MENTION.test(text) && /\s/.test(text)) {
    return toInvalidFocus('The text holds more than a LinkedIn address; send the address alone.');
  }
  const parts = (path ?? '').split('/').filter(part => part !== '');
  if (parts.length === 0) return undefined;
  const page = parsePage(parts.map(parseSlug));
  if (!page)
    return toInvalidFocus('This LinkedIn address is no profile or company page; send one with /in/ or /company/.');
  if (!page.slug) {
    return toInvalidFocus(
      'The LinkedIn address has no readable name behind its page kind; copy it again from the page.',
    );
  }
  const place = `${page.kind}/${page.slug}`;
  return {
    form: 'linkedin',
    value: `https://www.linkedin.com/${place}`,
    key: `linkedin.com/${toNormalizedLowerCase(place)}`,
    entityType: page.entityType,
  };
}

interface LinkedinPage {
  readonly kind: string;
  readonly slug: string | undefined;
  readonly entityType: EntityType;
}

/** Unreadable parts are undefined; after the slug they do not matter. */
type PathParts = readonly (string | undefined)[];

function parsePage([first, slug, ...tail]: PathParts): LinkedinPage | undefined {
  const kind = first?.toLowerCase() ?? '';
  if (kind === 'sales' && slug?.toLowerCase() === 'lead') {
    // "<id>,<search>,<token>": only the ID identifies the person.
    return { kind: 'sales/lead', slug: tail[0]?.split(',', 1)[0], entityType: 'person' };
  }
  const entityType = ENTITY_TYPES_BY_KIND.get(kind);
  if (!entityType || isDirectory(kind, slug)) return undefined;
  return { kind, slug: kind === 'pub' && slug ? [slug, ...parsePubIds(tail)].join('/') : slug, entityType };
}

/** `/in/me` is the signed-in user, `/pub/dir` a list of people with the same name. */
function isDirectory(kind: string, slug: string | undefined): boolean {
  return (kind === 'in' && slug?.toLowerCase() === 'me') || (kind === 'pub' && slug?.toLowerCase() === 'dir');
}

/**
 * An old public profile is distinguished from namesakes by three short IDs after the name; fewer are a locale suffix.
 */
function parsePubIds(tail: PathParts): PathParts {
  const ids = tail.slice(0, PUB_ID_COUNT);
  return ids.length === PUB_ID_COUNT && ids.every(part => part && /^[0-9a-z]{1,3}$/i.test(part)) ? ids : [];
}

function parseSlug(encoded: string): string | undefined {
  const slug = normalizeText(decodePercent(encoded) ?? '').normalize('NFC');
  const readable =
    slug !== '' && slug.length <= MAX_SLUG_LENGTH && !FORBIDDEN_IN_SLUG.test(slug) && !hasControlCharacters(slug);
  return readable ? slug : undefined;
}

function toNormalizedLowerCase(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}
