import type { Paint } from '../base/paint.js';
import type { Snippet, Way } from '../mcp/snippets.js';

/** The ways in words. */
export const WAY_WORDS: Readonly<Record<Way, string>> = {
  oauth: 'Sign in, over HTTP',
  key: 'With an API key, over HTTP',
  stdio: 'By the bridge, over stdio',
};

/** A snippet for people: its text stands alone, so that it can be copied. */
export function linesOfSnippet({ way, where, text, note }: Snippet, paint: Paint): string[] {
  const heading = `${paint.bold(WAY_WORDS[way])}  ${paint.dim(where)}`;
  return [heading, '', ...text.split('\n').map(line => `  ${line}`), '', ...(note ? [paint.dim(note), ''] : [])];
}
