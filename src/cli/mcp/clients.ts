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

const bridgeCommand = [BRIDGE_COMMAND.command, ...BRIDGE_COMMAND.args].join(' ');
const stdioServers = toJsonText({ mcpServers: { rapport: BRIDGE_COMMAND } });

const claudeCode: McpClient = {
  id: 'claude-code',
  name: 'Claude Code',
  snippets: url => [
    shellSnippet(
      'oauth',
      `claude mcp add --transport http rapport ${url}`,
      'Then /mcp in Claude Code, rapport, Authenticate.',
    ),
    shellSnippet(
      'key',
      `claude mcp add --transport http rapport ${url} --header "Authorization: Bearer $RAPPORT_API_KEY"`,
      'The shell puts the key in, and Claude Code keeps it in its settings.',
    ),
    shellSnippet('stdio', `claude mcp add rapport -- ${bridgeCommand}`, SIGNED_IN_NOTE),
  ],
};

const claudeDesktop: McpClient = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  snippets: url => [
    {
      way: 'oauth',
      where: 'Settings, Connectors, Add custom connector',
      language: 'text',
      text: `Name                   Rapport\nRemote MCP server URL  ${url}`,
      note: 'Claude calls from its own servers, so the address has to be public and https. For a hub on this machine take the bridge.',
    },
    {
      way: 'stdio',
      where: 'claude_desktop_config.json, by Settings, Developer, Edit Config',
      language: 'json',
      text: stdioServers,
      note: `${SIGNED_IN_NOTE} Restart Claude Desktop afterwards. It needs Node.js on this machine.`,
    },
  ],
};

const cursor: McpClient = {
  id: 'cursor',
  name: 'Cursor',
  snippets: url => [
    {
      way: 'oauth',
      where: '~/.cursor/mcp.json, or .cursor/mcp.json of a project',
      language: 'json',
      text: toJsonText({ mcpServers: { rapport: { url } } }),
      note: 'Cursor offers to sign in when it connects.',
    },
    {
      way: 'key',
      where: '~/.cursor/mcp.json, or .cursor/mcp.json of a project',
      language: 'json',
      text: toJsonText({
        mcpServers: { rapport: { url, headers: { Authorization: 'Bearer ${env:RAPPORT_API_KEY}' } } },
      }),
      note: KEY_NOTE,
    },
    { way: 'stdio', where: '~/.cursor/mcp.json', language: 'json', text: stdioServers, note: SIGNED_IN_NOTE },
  ],
};

const keyInput = { type: 'promptString', id: 'rapport-key', description: 'Rapport API key', password: true };

const vscode: McpClient = {
  id: 'vscode',
  name: 'VS Code',
  snippets: url => {
    const http = { type: 'http', url };
    const headers = { Authorization: 'Bearer ${input:rapport-key}' };
    return [
      vscodeSnippet('oauth', { servers: { rapport: http } }, 'VS Code offers to sign in when the server starts.'),
      vscodeSnippet(
        'key',
        { inputs: [keyInput], servers: { rapport: { ...http, headers } } },
        'VS Code asks for the key once and keeps it in its secret storage.',
      ),
      vscodeSnippet('stdio', { servers: { rapport: { type: 'stdio', ...BRIDGE_COMMAND } } }, SIGNED_IN_NOTE),
    ];
  },
};

const codex: McpClient = {
  id: 'codex',
  name: 'Codex',
  snippets: url => [
    tomlSnippet('oauth', `[mcp_servers.rapport]\nurl = "${url}"`, 'Then sign in: codex mcp login rapport.'),
    tomlSnippet('key', `[mcp_servers.rapport]\nurl = "${url}"\nbearer_token_env_var = "RAPPORT_API_KEY"`, KEY_NOTE),
    tomlSnippet(
      'stdio',
      `[mcp_servers.rapport]\ncommand = "${BRIDGE_COMMAND.command}"\nargs = ${JSON.stringify(BRIDGE_COMMAND.args).replaceAll(',', ', ')}`,
      SIGNED_IN_NOTE,
    ),
  ],
};

const chatgpt: McpClient = {
  id: 'chatgpt',
  name: 'ChatGPT',
  snippets: url => [
    {
      way: 'oauth',
      where: 'Settings, Apps, Advanced settings: Developer mode on; then Create app',
      language: 'text',
      text: `Name            Rapport\nMCP Server URL  ${url}\nAuthentication  OAuth`,
      note: 'ChatGPT calls from its own servers, so the address has to be public and https. It takes neither keys nor stdio.',
    },
  ],
};

const gemini: McpClient = {
  id: 'gemini',
  name: 'Gemini CLI',
  snippets: url => [
    geminiSnippet('oauth', { httpUrl: url }, 'Then sign in within Gemini CLI: /mcp auth rapport.'),
    geminiSnippet('key', { httpUrl: url, headers: { Authorization: 'Bearer $RAPPORT_API_KEY' } }, KEY_NOTE),
    geminiSnippet('stdio', BRIDGE_COMMAND, SIGNED_IN_NOTE),
  ],
};

/** Clients with snippets. */
export const CLIENTS: readonly McpClient[] = [claudeCode, claudeDesktop, cursor, vscode, codex, chatgpt, gemini];

function shellSnippet(way: Snippet['way'], text: string, note: string): Snippet {
  return { way, where: 'a shell', language: 'sh', text, note };
}

function vscodeSnippet(way: Snippet['way'], content: object, note: string): Snippet {
  const where = '.vscode/mcp.json, or MCP: Open User Configuration';
  return { way, where, language: 'json', text: toJsonText(content), note };
}

function tomlSnippet(way: Snippet['way'], text: string, note: string): Snippet {
  return { way, where: '~/.codex/config.toml', language: 'toml', text, note };
}

function geminiSnippet(way: Snippet['way'], server: object, note: string): Snippet {
  const where = '~/.gemini/settings.json, or .gemini/settings.json of a project';
  return { way, where, language: 'json', text: toJsonText({ mcpServers: { rapport: server } }), note };
}
