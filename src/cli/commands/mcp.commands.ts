import { Argument, Option } from 'commander';
import { type RegisterCommands, action, defineCommand } from '../base/command-context.js';
import { CliError } from '../base/exit.js';
import { printNotice } from '../base/terminal.js';
import { Bridge } from '../mcp/bridge.js';
import { CLIENTS } from '../mcp/clients.js';
import { CONNECTION_METHODS, type ConnectionMethod } from '../mcp/snippets.js';
import { formatSnippet } from './mcp.format.js';

/** `mcp`, `mcp config` */
export const addMcpCommands: RegisterCommands = (program, terminal, seat) => {
  const mcp = defineCommand(program, {
    name: 'mcp',
    summary: 'bridge an agent that speaks MCP over stdio to the hub',
    description:
      'Bridge an agent that speaks MCP over stdio to the hub, with the saved key. Agents start it; it ends when they close ' +
      'its stdin. It says what happens on stderr.',
    examples: ['rapport mcp', 'rapport mcp config claude-code', 'npx -y @rapport/cli mcp'],
  }).action(
    action(terminal, seat, async desk => {
      if (terminal.stdin.isTTY) {
        printNotice(
          terminal,
          'rapport mcp: an agent is meant to sit here; rapport mcp config says how to connect one.',
        );
      }
      await new Bridge(terminal, () => desk.settings()).run();
    }),
  );

  defineCommand(mcp, {
    name: 'config',
    summary: 'print what to put where, to connect a client of MCP',
    description:
      'Print what to put where, to connect a client of MCP: signing in over HTTP, with a key, or by the bridge.',
    examples: [
      'rapport mcp config claude-code',
      'rapport mcp config codex --way stdio',
      'rapport mcp config vscode --json',
    ],
  })
    .addArgument(new Argument('<client>', 'the client').choices(CLIENTS.map(({ id }) => id)))
    .addOption(
      new Option('--way <way>', 'only this way; default: all that the client knows').choices(CONNECTION_METHODS),
    )
    .action(
      action(terminal, seat, async (desk, id: string, { way }: { way?: ConnectionMethod }) => {
        const client = CLIENTS.find(each => each.id === id)!;
        const { baseUrl } = await desk.settings();
        const snippets = client.snippets(`${baseUrl}/mcp`).filter(each => way === undefined || each.way === way);
        if (snippets.length === 0) throw CliError.usage(`${client.name} cannot be connected by ${way}.`);
        const lines = snippets.flatMap(snippet => formatSnippet(snippet, desk.colors));
        desk.print({ client: id, name: client.name, url: `${baseUrl}/mcp`, snippets }, lines.slice(0, -1));
      }),
    );
};
