/** A rank with its share in a purchase decision, 0..1. */
interface SeniorityRank {
  readonly word: string;
  readonly share: number;
}

/** Ranks from the highest to the lowest. */
const ranks: readonly (SeniorityRank & { readonly title: RegExp })[] = [
  { word: 'founder', share: 1, title: /\b(?:co-?)?founder\b|\bowner\b|\bgründer/ },
  {
    word: 'c_level',
    share: 1,
    title: /\bchief\b|\bc[a-z]{1,2}o\b|\bpresident\b|\bmanaging director\b|\bgeschäftsführ/,
  },
  { word: 'vp', share: 1, title: /\bs?vp\b|\bvice president\b|\bevp\b/ },
  { word: 'head', share: 0.85, title: /\bhead of\b|\bhead\b|\bleiter/ },
  { word: 'director', share: 0.8, title: /\bdirector\b|\bdirektor/ },
  { word: 'manager', share: 0.5, title: /\bmanager\b|\blead\b|\bteam lead/ },
  { word: 'senior', share: 0.3, title: /\bsenior\b|\bsr\.?\b|\bprincipal\b|\bstaff\b/ },
  {
    word: 'junior',
    share: 0.1,
    title: /\bjunior\b|\bjr\.?\b|\bintern\b|\btrainee\b|\bassistant\b|\bworking student\b/,
  },
];

/** Rank of a title without a known word. */
const DEFAULT_RANK = { word: 'individual', share: 0.2 } as const;

const VICE = /\bvice president\b|\bassistant\b|\bdeputy\b/;

/** Returns the rank of a title: founder, c_level, vp, head, director, manager, senior, junior, individual. */
export function parseSeniority(title: string): string {
  return findRank(title).word;
}

/** Returns the share in a purchase decision of a rank (a word of {@link parseSeniority}) or a title, 0..1. */
export function seniorityWeight(text: string): number {
  const word = text
    .toLowerCase()
    .trim()
    .replace(/[\s-]+/g, '_');
  return ranks.find(rank => rank.word === word)?.share ?? findRank(text).share;
}

/** Maximum number of cached titles: the same few occur again and again in a list. */
const MAX_CACHED_TITLES = 2000;
const MAX_CACHED_LENGTH = 100;

const rankCache = new Map<string, SeniorityRank>();

function findRank(title: string): SeniorityRank {
  if (title.length > MAX_CACHED_LENGTH) return parseRank(title);
  let rank = rankCache.get(title);
  if (rank === undefined) {
    if (rankCache.size >= MAX_CACHED_TITLES) rankCache.clear();
    rankCache.set(title, (rank = parseRank(title)));
  }
  return rank;
}

function parseRank(title: string): SeniorityRank {
  const text = title.normalize('NFKC').toLowerCase();
  if (/\bassistant\b/.test(text) && !/\bassistant (?:vice|director|manager)/.test(text)) return ranks.at(-1)!;
  if (VICE.test(text) && text.includes('president')) return ranks[2]!;
  return ranks.find(rank => rank.title.test(text)) ?? DEFAULT_RANK;
}
