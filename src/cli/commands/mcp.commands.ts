import { Argument, Option } from 'commander';
import { type AddCommands, at, declare } from '../base/desk.js';
import { CliError } from '../base/exit.js';
import { say } from '../base/terminal.js';
import { Bridge } from '../mcp/bridge.js';
import { CLIENTS } from '../mcp/clients.js';
import { WAYS, type Way } from '../mcp/snippets.js';
import { linesOfSnippet } from './mcp.lines.js';

/** `mcp`, `mcp config` */
export const addMcpCommands: AddCommands = (program, terminal, seat) => {
  const mcp = declare(program, {
    name: 'mcp',
    summary: 'bridge an agent that speaks MCP over stdio to the hub',
    description:
      'Bridge an agent that speaks MCP over stdio to the hub, with the saved key. Agents start it; it ends when they close ' +
      'its stdin. It says what happens on stderr.',
    examples: ['rapport mcp', 'rapport mcp config claude-code', 'npx -y @rapport/cli mcp'],
  }).action(
    at(terminal, seat, async desk => {
      if (terminal.stdin.isTTY) {
        say(terminal, 'rapport mcp: an agent is meant to sit here; rapport mcp config says how to connect one.');
      }
      await new Bridge(terminal, () => desk.settings()).run();
    }),
  );

  declare(mcp, {
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
    .addOption(new Option('--way <way>', 'only this way; default: all that the client knows').choices(WAYS))
    .action(
      at(terminal, seat, async (desk, id: string, { way }: { way?: Way }) => {
        const client = CLIENTS.find(each => each.id === id)!;
        const { baseUrl } = await desk.settings();
        const snippets = client.snippets(`${baseUrl}/mcp`).filter(each => way === undefined || each.way === way);
        if (snippets.length === 0) throw CliError.usage(`${client.name} cannot be connected by ${way}.`);
        const lines = snippets.flatMap(snippet => linesOfSnippet(snippet, desk.paint));
        desk.answer({ client: id, name: client.name, url: `${baseUrl}/mcp`, snippets }, lines.slice(0, -1));
      }),
    );
};
