import { collapseWhitespace } from './focus-text.js';

// "m." needs its dot: a bare "m" is an initial more often than a Monsieur.
const HONORIFIC = /^(?:(?:mr|mrs|ms|miss|dr|prof|sir|herr|frau|mme|sra?)\.?|m\.)\s+(?=\S)/;

/**
 * The key under which equal names meet: NFKC, case folded, white space collapsed, leading honorifics (also
 * several: "Prof. Dr.") dropped. A name that is nothing but an honorific keeps it.
 */
export function nameKey(text: string): string {
  let key = collapseWhitespace(foldCase(text));
  while (HONORIFIC.test(key)) key = key.replace(HONORIFIC, '');
  return key;
}

/**
 * A full name of its parts, white space tidied; undefined when both are missing or blank. The order is the
 * one of the fields: first name, then last name.
 */
export function composeName(first?: string | null, last?: string | null): string | undefined {
  return collapseWhitespace(`${first ?? ''} ${last ?? ''}`) || undefined;
}

/** Case folding by way of upper case, which also turns "ß" into "ss"; both Greek sigmas become one. */
function foldCase(text: string): string {
  const once = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return once.normalize('NFKC');
}
