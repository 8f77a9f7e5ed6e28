import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/process/rapport-command.js';

const original = fileURLToPath(new URL('../../bin/rapport.mjs', import.meta.url));
const onNode20 = ['--import', `data:text/javascript,Object.defineProperty(process,'version',{value:'v20.11.0'})`];
let root: string;

/** A project that consists of the launcher and of what a test puts beside it. */
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'rapport-launcher-'));
  await put('package.json', '{"type":"module"}');
  await mkdir(path.join(root, 'bin'));
  await copyFile(original, path.join(root, 'bin/rapport.mjs'));
});
afterEach(() => rm(root, { recursive: true }));

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

const launch = (before: string[] = []) => runNode([...before, path.join(root, 'bin/rapport.mjs'), 'admin', 'migrate']);
const program = `console.log(process.argv.slice(2).join(' ')); process.exitCode = 3;`;

it('runs the compiled program with the words and gives its exit code', async () => {
  await put('dist/admin/main.js', program);
  expect(await launch()).toEqual({ code: 3, out: 'admin migrate\n', err: '' });
});

it('builds first, and keeps what the build prints out of the answer', async () => {
  await put('dist/admin/main.js', program);
  await put('scripts/build-if-stale.mjs', `console.log('building in ' + process.cwd());`);
  const { code, out, err } = await launch();
  expect({ code, out, err }).toEqual({ code: 3, out: 'admin migrate\n', err: expect.stringContaining('building in ') });
});

it('ends with the build when that fails', async () => {
  await put('dist/admin/main.js', program);
  await put('scripts/build-if-stale.mjs', 'process.exit(7);');
  expect(await launch()).toEqual({ code: 7, out: '', err: '' });
});

it('says what to do when nothing is built', async () => {
  expect(await launch()).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Rapport is not built: run npm run build in /),
  });
});

it('goes over to the Node of the project on a machine with an older one', async () => {
  await put('dist/admin/main.js', program);
  await put('node_modules/node/bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  await chmod(path.join(root, 'node_modules/node/bin/node'), 0o755);
  expect(await launch(onNode20)).toEqual({ code: 3, out: 'admin migrate\n', err: '' });
});

it('says what is missing when the project has no Node of its own', async () => {
  await put('dist/admin/main.js', program);
  const { code, out, err } = await launch(onNode20);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^Rapport needs Node 22\.19 or newer and this is v20\.11\.0: run npm ci in /);
});
