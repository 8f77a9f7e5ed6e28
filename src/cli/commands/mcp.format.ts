import type { Colors } from '../base/colors.js';
import type { Snippet, ConnectionMethod } from '../mcp/snippets.js';

/** Labels of the connection methods. */
export const CONNECTION_METHOD_LABELS: Readonly<Record<ConnectionMethod, string>> = {
  oauth: 'Sign in, over HTTP',
  key: 'With an API key, over HTTP',
  stdio: 'With the bridge, over stdio',
};

/** Formats a snippet. Its text is a block of its own, so that it can be copied. */
export function formatSnippet({ way, where, text, note }: Snippet, paint: Colors): string[] {
  const heading = `${paint.bold(CONNECTION_METHOD_LABELS[way])}  ${paint.dim(where)}`;
  return [heading, '', ...text.split('\n').map(line => `  ${line}`), '', ...(note ? [paint.dim(note), ''] : [])];
}
