/** Average UTF-8 bytes per token over the languages and models measured. */
const BYTES_PER_TOKEN = 3.6;

/** Estimates the tokens of a text: UTF-8 bytes / 3.6, rounded up. */
export function estimateTokens(text: string): number {
  return bytesToTokens(countUtf8Bytes(text));
}

/** Estimates the tokens of a number of UTF-8 bytes. */
export function bytesToTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Counts the UTF-8 bytes of a text. Half of a surrogate pair counts as the three bytes of its replacement. */
export function countUtf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Returns the longest prefix of at most so many bytes, whole characters only. */
export function truncateBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += countUtf8Bytes(character);
    if (bytes > most) return text.slice(0, end);
    end += character.length;
  }
  return text;
}
