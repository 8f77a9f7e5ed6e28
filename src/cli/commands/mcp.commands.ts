import { Argument, Option } from 'commander';
import { type Colors, printNotice } from '../base/terminal.js';
import { type Snippet, type ConnectionMethod, CLIENTS, CONNECTION_METHODS } from '../mcp/clients.js';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError } from '../base/errors.js';
import { Bridge } from '../mcp/bridge.js';

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

/** `mcp`, `mcp config` */
export const addMcpCommands: RegisterCommands = (program, terminal, holder) => {
  const mcp = defineCommand(program, {
    name: 'mcp',
    summary: 'bridge an agent that speaks MCP over stdio to the hub',
    description:
      'Bridge an agent that speaks MCP over stdio to the hub, with the saved key. The agent starts it; it ends when the ' +
      'agent closes its stdin. It logs to stderr.',
    examples: ['rapport mcp', 'rapport mcp config claude-code', 'npx -y @rapport/cli mcp'],
  }).action(
    action(terminal, holder, async context => {
      if (terminal.stdin.isTTY) {
        printNotice(
          terminal,
          'rapport mcp: this command is meant to be started by an agent. Run rapport mcp config to connect one.',
        );
      }
      await new Bridge(terminal, () => context.settings()).run();
    }),
  );

  defineCommand(mcp, {
    name: 'config',
    summary: 'print the settings that connect an MCP client',
    description:
      'Print the settings that connect an MCP client: with sign-in over HTTP, with an API key, or over the stdio bridge.',
    examples: [
      'rapport mcp config claude-code',
      'rapport mcp config codex --way stdio',
      'rapport mcp config vscode --json',
    ],
  })
    .addArgument(new Argument('<client>', 'the client').choices(CLIENTS.map(({ id }) => id)))
    .addOption(
      new Option('--way <way>', 'only this connection method; default: all that the client supports').choices(
        CONNECTION_METHODS,
      ),
    )
    .action(
      action(terminal, holder, async (context, id: string, { way }: { way?: ConnectionMethod }) => {
        const client = CLIENTS.find(each => each.id === id)!;
        const { baseUrl } = await context.settings();
        const snippets = client.snippets(`${baseUrl}/mcp`).filter(each => way === undefined || each.way === way);
        if (snippets.length === 0) throw CliError.usage(`${client.name} does not support ${way}.`);
        const lines = snippets.flatMap(snippet => formatSnippet(snippet, context.colors));
        context.print({ client: id, name: client.name, url: `${baseUrl}/mcp`, snippets }, lines.slice(0, -1));
      }),
    );
};
