/** How a client of MCP can be connected: signing in by OAuth over HTTP, a key over HTTP, or the bridge over stdio. */
export type ConnectionMethod = 'oauth' | 'key' | 'stdio';

/** The ways, in the order in which to prefer them. */
export const CONNECTION_METHODS: readonly ConnectionMethod[] = ['oauth', 'key', 'stdio'];

/** What to put where. */
export interface Snippet {
  readonly way: ConnectionMethod;
  /** Where it goes: a shell, a file, a page of settings. */
  readonly where: string;
  readonly language: 'sh' | 'json' | 'toml' | 'text';
  readonly text: string;
  /** What to do or know besides. */
  readonly note?: string;
}

/** A client of MCP. */
export interface McpClient {
  /** As `rapport mcp config` is told it. */
  readonly id: string;
  readonly name: string;
  /** @param url address of the MCP endpoint */
  snippets(url: string): readonly Snippet[];
}

/** The bridge as every client starts it. */
export const BRIDGE_COMMAND = { command: 'npx', args: ['-y', '@rapport/cli', 'mcp'] } as const;

/** A value as JSON that people edit. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** What the bridge needs to know. */
export const SIGNED_IN_NOTE = 'Run rapport login first: the bridge takes the key that it saved.';

/** What stands for the key in files. */
export const KEY_NOTE = 'Set RAPPORT_API_KEY to an API key in the environment that the client starts in.';
