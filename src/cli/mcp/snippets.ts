/** Connection method of an MCP client: OAuth over HTTP, an API key over HTTP, or the bridge over stdio. */
export type ConnectionMethod = 'oauth' | 'key' | 'stdio';

/** Connection methods in order of preference. */
export const CONNECTION_METHODS: readonly ConnectionMethod[] = ['oauth', 'key', 'stdio'];

/** Settings to copy for one connection method. */
export interface Snippet {
  readonly way: ConnectionMethod;
  /** Where to put it: a shell, a file or a settings page. */
  readonly where: string;
  readonly language: 'sh' | 'json' | 'toml' | 'text';
  readonly text: string;
  /** Additional instructions. */
  readonly note?: string;
}

/** An MCP client. */
export interface McpClient {
  /** ID for `rapport mcp config`. */
  readonly id: string;
  readonly name: string;
  /** @param url address of the MCP endpoint */
  snippets(url: string): readonly Snippet[];
}

/** Command with which clients start the bridge. */
export const BRIDGE_COMMAND = { command: 'npx', args: ['-y', '@rapport/cli', 'mcp'] } as const;

/** Formats a value as indented JSON. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Note for snippets that use the bridge. */
export const SIGNED_IN_NOTE = 'Run rapport login first: the bridge uses the saved key.';

/** Note for snippets that read the key from the environment. */
export const KEY_NOTE = 'Set RAPPORT_API_KEY to an API key in the environment that the client starts in.';
