import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createClientProgram } from '../../src/cli/program.js';
import { VERSION } from '../../src/cli/version.js';
import { CLIENTS } from '../../src/cli/mcp/clients.js';
import { CONNECTION_METHOD_LABELS } from '../../src/cli/commands/mcp.commands.js';
import { type Home, homeAt } from '../support/process/cli.js';

const HUB = 'https://rapport.example.com';
let home: Home;
beforeAll(() => void (home = homeAt({ RAPPORT_BASE_URL: HUB })));
afterAll(() => home.remove());

/** The page with what stands between its marks; written anew when UPDATE_DOCS is set. */
function generated(page: string, text: string): { is: string; shouldBe: string } {
  const is = readFileSync(page, 'utf8');
  const shouldBe = is.replace(
    /(<!-- generated -->\n)[\s\S]*(<!-- end -->)/,
    (_, begin, end) => `${begin}\n${text}\n\n${end}`,
  );
  if (process.env['UPDATE_DOCS']) writeFileSync(page, shouldBe);
  return { is: process.env['UPDATE_DOCS'] ? shouldBe : is, shouldBe };
}

/** The paths of all commands, in the order of the help. */
function pathsOf(command: Command, above: readonly string[] = []): string[][] {
  return command.commands.flatMap(each => {
    const path = [...above, each.name()];
    return [path, ...pathsOf(each, path)];
  });
}

it('docs/cli.md has the help of every command', async () => {
  const { stdin, stdout, stderr, env } = process;
  const program = createClientProgram({ stdin, stdout, stderr, env, signal: new AbortController().signal });
  const parts = [];
  for (const path of [[], ...pathsOf(program)]) {
    const { exit, out } = await home.run([...path, '--help']);
    expect(exit).toBe(0);
    if (path.length > 0 && path.at(-1) !== 'keys') expect(out).toMatch(/Examples?:/);
    parts.push(`### rapport ${path.join(' ')}`.trimEnd(), `\`\`\`text\n${out.trim()}\n\`\`\``);
  }
  const { is, shouldBe } = generated('docs/cli.md', parts.join('\n\n'));
  expect(is).toBe(shouldBe);
});

it('docs/mcp.md has what mcp config prints', async () => {
  const parts = [];
  for (const { id, name } of CLIENTS) {
    const answer = await home.json<{ snippets: ReturnType<(typeof CLIENTS)[number]['snippets']> }>([
      'mcp',
      'config',
      id,
    ]);
    parts.push(`## ${name}`);
    for (const { way, where, language, text, note } of answer.snippets) {
      parts.push(
        `**${CONNECTION_METHOD_LABELS[way]}.** ${where}:`,
        `\`\`\`${language}\n${text}\n\`\`\``,
        ...(note ? [note] : []),
      );
      expect((await home.run(['mcp', 'config', id, '--way', way])).out).toContain(text.split('\n')[0]);
    }
  }
  const { is, shouldBe } = generated('docs/mcp.md', parts.join('\n\n'));
  expect(is).toBe(shouldBe);
});

it('has the version of its package', () => {
  expect(VERSION).toBe(JSON.parse(readFileSync('src/cli/package.json', 'utf8')).version);
});
