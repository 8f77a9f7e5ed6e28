import { collapseWhitespace } from './focus-text.js';

// "m." needs its dot: a bare "m" is more often an initial than a Monsieur.
const HONORIFIC = /^(?:(?:mr|mrs|ms|miss|dr|prof|sir|herr|frau|mme|sra?)\.?|m\.)\s+(?=\S)/;

/**
 * Returns the key by which names are compared: NFKC, case folded, white space collapsed, without leading honorifics
 * (also several: "Prof. Dr."). A name that is only an honorific keeps it.
 */
export function nameKey(text: string): string {
  let key = collapseWhitespace(foldCase(text));
  while (HONORIFIC.test(key)) key = key.replace(HONORIFIC, '');
  return key;
}

/** Joins first and last name, with white space normalised; undefined if both are missing or blank. */
export function composeName(first?: string | null, last?: string | null): string | undefined {
  return collapseWhitespace(`${first ?? ''} ${last ?? ''}`) || undefined;
}

/** Folds case by way of upper case, which also turns "ß" into "ss"; both Greek sigmas become one. */
function foldCase(text: string): string {
  const once = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return once.normalize('NFKC');
}
