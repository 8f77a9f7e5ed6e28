import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rapport, rapportHere } from '../../support/process/rapport-command.js';
import { nodeIn, repositoryPackages, type TempProject, tempProject } from '../../support/process/temp-project.js';
import { partnerCases } from './partner.cases.js';

const sdk = '@rapport/plugin-sdk';
let place: TempProject;
let dir: string;

beforeAll(async () => {
  place = await tempProject();
  dir = path.join(place.dir, 'zeppelin-calls');
});
afterAll(() => place?.end());

function textsOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return files.map(entry => entry.name + readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
}

describe('the published SDK', () => {
  it('holds what package.json promises', () => {
    const installed = place.sdk;
    const { exports, version } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>;
      version: string;
    };
    const targets = Object.values(exports).flatMap(target =>
      typeof target === 'string' ? target : Object.values(target),
    );
    expect(targets.filter(target => !existsSync(path.join(installed, target)))).toEqual([]);
    expect(readFileSync(path.join(installed, 'dist/version.js'), 'utf8')).toContain(`'${version}'`);
    expect(existsSync(path.join(installed, 'README.md'))).toBe(true);
  });
});

describe('a plugin made by rapport plugin new', () => {
  it('is made under the new name, with nothing left of the old one', async () => {
    const { code, out } = await rapport(['plugin', 'new', 'zeppelin-calls', '--dir', dir, '--json'], {});
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 'zeppelin-calls', in_tree: false });
    expect(textsOf(dir).filter(text => /acme|rapport-plugin-template/i.test(text))).toEqual([]);
    expect(JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'))).toMatchObject({
      name: 'rapport-plugin-zeppelin-calls',
      keywords: ['rapport-plugin'],
      peerDependencies: { [sdk]: '^1.0.0' },
      exports: { '.': './dist/plugin.js' },
    });
    const { dependencies } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8')) as {
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
  });

  it('has the SDK from a tarball, wherever the command was run', async () => {
    const sdk = path.join(place.dir, 'sdk.tgz');
    writeFileSync(sdk, '');
    const other = path.join(place.dir, 'other');
    const words = ['plugin', 'new', 'other', '--dir', other, '--sdk', path.relative(process.cwd(), sdk)];
    expect(await rapportHere(words, {})).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(other, 'package.json'), 'utf8')).toContain(`"file:${sdk}"`);
  });

  it('compiles, and its tests are green at once', async () => {
    const compiled = nodeIn(dir, [path.join(repositoryPackages, 'typescript/bin/tsc')]);
    expect(compiled).toMatchObject({ status: 0, stdout: '' });
    const bundled = nodeIn(dir, [path.join(repositoryPackages, 'rolldown/bin/cli.mjs'), '-c']);
    expect(bundled.status).toBe(0);
    expect(readdirSync(path.join(dir, 'dist')).toSorted()).toEqual(['fixtures.js', 'manifest.js', 'plugin.js']);
    const tested = nodeIn(dir, ['--test', 'build/test/*.test.js']);
    expect(tested.stdout).toContain('\u2139 fail 0');
    expect(tested.status).toBe(0);
  });

  it('passes the checks', async () => {
    const { code, out, err } = await rapport(['plugin', 'check', dir], {});
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').every(line => line.startsWith('ok ') || line === '')).toBe(true);
    expect(out).toContain('secrets stay secret');
  });

  it('is linked into a hub once, and does not take the place of another', async () => {
    const to = path.join(place.dir, 'plugins');
    const first = await rapportHere(['plugin', 'link', dir, '--to', to], {});
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('links to') });
    expect(existsSync(path.join(to, 'zeppelin-calls/package.json'))).toBe(true);
    const again = await rapportHere(['plugin', 'link', dir, '--to', to], {});
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('already') });
    rmSync(path.join(to, 'zeppelin-calls'));
    mkdirSync(path.join(to, 'zeppelin-calls'));
    const taken = await rapportHere(['plugin', 'link', dir, '--to', to], {});
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('is something else') });
  });

  it('is not made over what is there', async () => {
    const { code, err } = await rapportHere(['plugin', 'new', 'zeppelin-calls', '--dir', dir], {});
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is not empty') });
  });
});

describe('the same plugin, once a partner has made it his own,', () => void partnerCases(() => ({ place, dir })));

describe('plugin check', () => {
  it('names each problem and its fix', async () => {
    const file = path.join(dir, 'dist/manifest.js');
    const good = readFileSync(file, 'utf8');
    await writeBroken(file, good);
    const { code, out, err } = await rapport(['plugin', 'check', dir, '--json'], {});
    const { checks } = JSON.parse(out) as { checks: { name: string; ok: boolean; problem?: string }[] };
    const problems = checks.filter(({ ok }) => !ok).map(({ problem }) => problem);
    expect(problems.join('\n')).toContain(
      `The manifest declares the job "backfil", but no method has @OnJob('backfil')`,
    );
    expect(problems.join('\n')).toContain('fixtures.jobs["backfil"] is missing');
    expect(code).toBe(1);
    expect(JSON.parse(err)).toEqual({
      error: 'failed',
      detail: expect.stringMatching(/^\d+ of \d+ checks failed\.$/),
      exit_code: 1,
    });
  });

  it('asks for a build where there is none', async () => {
    rmSync(path.join(dir, 'dist'), { recursive: true });
    const { code, err } = await rapportHere(['plugin', 'check', dir], {});
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('run npm run build') });
  });
});

async function writeBroken(file: string, good: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(file, good.replace('backfill', 'backfil'));
}
