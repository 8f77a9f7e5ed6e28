import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runChild } from './support/process/child-process.js';

const NEXT = '97.1.0';
const program = path.resolve('node_modules/commit-and-tag-version/bin/cli.js');

interface ReleaseConfig {
  readonly tagPrefix: string;
  readonly bumpFiles: readonly { readonly filename: string }[];
}

/** A repository with the files that a release changes and one commit of each kind. */
class Repository {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'rapport-release-'));

  async run(file: string, args: readonly string[]): Promise<string> {
    const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@acme.com' };
    const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@acme.com' };
    const env = { ...process.env, ...identity, ...committer, GIT_CONFIG_GLOBAL: '/dev/null' };
    const { code, stdout, stderr } = await runChild(file, args, { cwd: this.folder, env });
    if (code !== 0) throw new Error(`${[file, ...args].join(' ')}: ${stdout}${stderr}`);
    expect(stderr).toBe('');
    return stdout;
  }

  git(...args: readonly string[]): Promise<string> {
    return this.run('git', ['-c', 'init.defaultBranch=main', '-c', 'commit.gpgsign=false', ...args]);
  }

  async commit(subject: string): Promise<void> {
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message', subject);
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8');
  }
}

describe.each(['hub', 'sdk'])('a release of the %s', name => {
  const file = path.resolve(`scripts/release/${name}.mjs`);
  const repository = new Repository();
  let config: ReleaseConfig;
  let changelog: string;

  const release = (...args: readonly string[]) =>
    repository.run(process.execPath, [program, '--config', file, ...args]);

  beforeAll(async () => {
    config = ((await import(pathToFileURL(file).href)) as { default: ReleaseConfig }).default;
    const files = config.bumpFiles.map(({ filename }) => filename);
    for (const each of files) cpSync(each, path.join(repository.folder, each), { recursive: true });
    changelog = files.find(each => each.endsWith('CHANGELOG.md'))!;
    await repository.git('init', '--quiet');
    await repository.commit('chore: begin');
  });
  afterAll(() => rmSync(repository.folder, { recursive: true }));

  it('changes nothing in a dry run', async () => {
    await release('--release-as', NEXT, '--dry-run');
    expect(await repository.git('status', '--short')).toBe('');
    expect(await repository.git('tag')).toBe('');
  });

  it('writes the version into every file, commits them and tags the commit', async () => {
    const before = config.bumpFiles.map(({ filename }) => repository.read(filename).split(NEXT).length - 1);
    expect(before).toEqual(config.bumpFiles.map(() => 0));
    const heading = '## Unreleased\n\n- What people wrote.\n';
    writeFileSync(
      path.join(repository.folder, changelog),
      `# Changelog\n\n${heading}\n## 0.0.1 - 2026-01-01\n\n- First.\n`,
    );
    await repository.commit('docs: write the changelog');
    await release('--release-as', NEXT);
    expect(config.bumpFiles.filter(({ filename }) => !repository.read(filename).includes(NEXT))).toEqual([]);
    expect(await repository.git('status', '--short')).toBe('');
    expect(await repository.git('tag', '--points-at', 'HEAD')).toBe(`${config.tagPrefix}${NEXT}\n`);
    expect(await repository.git('log', '-1', '--format=%s')).toBe(`chore(release): ${config.tagPrefix}${NEXT}\n`);
  });

  it('moves the unreleased entries under the version and starts an empty section', () => {
    const day = /^## 97\.1\.0 - (\d{4}-\d{2}-\d{2})$/m.exec(repository.read(changelog))?.[1];
    expect(repository.read(changelog)).toBe(
      `# Changelog\n\n## Unreleased\n\n## 97.1.0 - ${day}\n\n- What people wrote.\n\n## 0.0.1 - 2026-01-01\n\n- First.\n`,
    );
  });

  it('chooses the version from the commits, and lists them where nobody wrote anything', async () => {
    for (const subject of ['feat(leads): score lists', 'fix: keep order', 'docs: explain', 'perf(db): batch reads']) {
      writeFileSync(path.join(repository.folder, name === 'sdk' ? 'src/sdk/x.ts' : 'x.ts'), subject);
      await repository.commit(subject);
    }
    await release();
    expect(await repository.git('tag', '--points-at', 'HEAD')).toBe(`${config.tagPrefix}97.2.0\n`);
    const section = repository.read(changelog).split(/^## /m)[2]!.split('\n').slice(1).join('\n').trim();
    expect(section).toBe(
      [
        '### Added\n\n- **leads**: score lists',
        '### Fixed\n\n- keep order',
        '### Changed\n\n- **db**: batch reads',
      ].join('\n\n'),
    );
  });
});
