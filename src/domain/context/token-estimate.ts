/** UTF-8 bytes that a token has, on average over the languages and models that we have seen. */
const BYTES_PER_TOKEN = 3.6;

/** How many tokens a text is likely to have: UTF-8 bytes / 3.6, rounded up. */
export function estimateTokens(text: string): number {
  return bytesToTokens(countUtf8Bytes(text));
}

/** The same for so many bytes. */
export function bytesToTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** UTF-8 bytes of a text. Half a character counts as the three bytes it is written with. */
export function countUtf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** The beginning of a text that has at most so many bytes, whole characters only. */
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
