/** Maximum number of edits in a word of eight letters or more; a shorter word may have one. */
const MAX_EDITS = 2;
const LONG_WORD_LENGTH = 8;

/**
 * Returns the number of edits (insertion, deletion, substitution, transposition) between two words: the optimal string
 * alignment distance.
 */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const changedOver = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (same ? 0 : 1),
        changedOver ? before[j - 2]! + 1 : Infinity,
      );
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}

/** Returns how likely `typed` was meant to be `word`, 0 to 1; 0 if it has more edits than people make. */
export function spellingSimilarity(typed: string, word: string): number {
  const slips = editDistance(typed, word);
  const most = typed.length < LONG_WORD_LENGTH ? 1 : MAX_EDITS;
  return slips > most ? 0 : 1 - slips / Math.max(typed.length, word.length);
}
