import { addKeyCommands } from '../../src/admin/key.commands.js';
import { addMigrateCommand } from '../../src/admin/maintenance.commands.js';
import { addPluginCommands } from '../../src/admin/plugin/plugin.commands.js';
import { runAdminProgram } from '../../src/admin/program.js';
import { addWorkspaceCommands } from '../../src/admin/workspace.commands.js';

const id = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** Runs a command line that must never get as far as the database. */
async function run(words: readonly string[]) {
  const output = { out: '', err: '' };
  const office = {
    terminal: { out: (text: string) => void (output.out += text), err: (text: string) => void (output.err += text) },
    withDatabase: () => Promise.reject(new Error('the database was opened')),
    withServer: () => Promise.reject(new Error('the database was opened')),
  };
  const groups = [addWorkspaceCommands, addKeyCommands, addMigrateCommand];
  const code = await runAdminProgram(words, groups, office, [addPluginCommands]);
  return { code, ...output };
}

describe('a command line that is not understood', () => {
  it.each([
    ['admin nonsense', "unknown command 'nonsense'"],
    ['admin workspace create --plan scale', "required option '--name <name>' not specified"],
    ['admin workspace create --name Acme', "required option '--plan <plan>' not specified"],
    ['admin workspace create --name Acme --plan gold', 'It must be one of starter, growth, scale.'],
    ['admin workspace create --name= --plan scale', 'It must be 1 to 200 characters'],
    ['admin workspace create --name Acme --plan scale extra', 'too many arguments'],
    ['admin workspace list --yaml', "unknown option '--yaml'"],
    ['admin workspace set-plan acme scale', 'It must be a UUID, as the list commands print it.'],
    [`admin workspace set-plan ${id}`, "missing required argument 'plan'"],
    [
      `admin key create ${id} --name n --scopes read,root`,
      'comma-separated list of read, write, settings, admin, internal',
    ],
    [`admin key create ${id} --name n --scopes=`, 'comma-separated list of read, write, settings, admin, internal'],
    [`admin key create ${id} --name n --expires-in-days 1.5`, 'It must be a whole number from 1 to 3650.'],
    [`admin key create ${id} --name n --expires-in-days 0`, 'It must be a whole number from 1 to 3650.'],
    ['admin key list', "missing required argument 'workspace'"],
    [`admin key revoke ${id} 7`, 'It must be a UUID'],
  ])('%s', async (line, sentence) => {
    const { code, out, err } = await run(line.split(' '));
    expect(err).toContain(sentence);
    expect(err).toContain('--help');
    expect([code, out]).toEqual([2, '']);
  });

  it.each(['', 'admin', 'admin workspace', 'admin key'])('shows what is possible after "rapport %s"', async line => {
    const { code, err } = await run(line.split(' ').filter(Boolean));
    expect([code, err.includes('Commands:')]).toEqual([2, true]);
  });
});

describe('with --json', () => {
  const failure = async (...words: string[]) => {
    const { code, out, err } = await run([...words, '--json']);
    expect(out).toBe('');
    return { code, ...(JSON.parse(err) as object) };
  };

  it.each([
    ['nonsense', "unknown command 'nonsense'"],
    ['admin nonsense', "unknown command 'nonsense'"],
    ['admin workspace create --plan scale', "required option '--name <name>' not specified"],
  ])('"%s" is refused as one JSON document', async (line, detail) => {
    expect(await failure(...line.split(' '))).toEqual({ code: 2, error: 'usage', detail, exit_code: 2 });
  });

  it.each(['', 'admin', 'admin key', 'plugin'])('"rapport %s" is told that a command is missing', async line => {
    const detail = 'A command is missing. Run with --help for a list of commands.';
    expect(await failure(...line.split(' ').filter(Boolean))).toEqual({
      code: 2,
      error: 'usage',
      detail,
      exit_code: 2,
    });
  });

  it('says as one what failed, wherever the option stands', async () => {
    const failed = { code: 1, error: 'failed', detail: 'the database was opened', exit_code: 1 };
    expect(await failure('admin', 'migrate')).toEqual(failed);
    const { code, err } = await run(['--json', 'admin', 'migrate']);
    expect({ code, ...JSON.parse(err) }).toEqual(failed);
  });
});

describe('--help', () => {
  it.each([
    ['--help', 'administration'],
    ['admin --help', 'workspace'],
    ['admin workspace create --help', 'Example:'],
    ['admin workspace set-plan --help', 'Example:'],
    ['admin key create --help', 'default: read,write'],
    ['admin key revoke --help', 'Example:'],
    ['admin migrate --help', 'up to date'],
  ])('%s', async (line, text) => {
    const { code, out } = await run(line.split(' '));
    expect(out).toContain(text);
    expect(code).toBe(0);
  });
});

it('a command that fails says why in a sentence, with exit code 1', async () => {
  expect(await run(['admin', 'migrate'])).toEqual({ code: 1, out: '', err: 'the database was opened' });
});
