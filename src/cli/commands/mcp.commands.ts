import { Argument, Option } from 'commander';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError } from '../base/exit.js';
import { printNotice } from '../base/terminal.js';
import { Bridge } from '../mcp/bridge.js';
import { CLIENTS } from '../mcp/clients.js';
import { CONNECTION_METHODS, type ConnectionMethod } from '../mcp/snippets.js';
import { formatSnippet } from './mcp.format.js';

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
