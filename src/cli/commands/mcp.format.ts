import type { Colors } from '../base/colors.js';
import type { Snippet, ConnectionMethod } from '../mcp/snippets.js';

/** The ways in words. */
export const CONNECTION_METHOD_LABELS: Readonly<Record<ConnectionMethod, string>> = {
  oauth: 'Sign in, over HTTP',
  key: 'With an API key, over HTTP',
  stdio: 'By the bridge, over stdio',
};

/** A snippet for people: its text stands alone, so that it can be copied. */
export function formatSnippet({ way, where, text, note }: Snippet, paint: Colors): string[] {
  const heading = `${paint.bold(CONNECTION_METHOD_LABELS[way])}  ${paint.dim(where)}`;
  return [heading, '', ...text.split('\n').map(line => `  ${line}`), '', ...(note ? [paint.dim(note), ''] : [])];
}
