import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from './rapport-command.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the packages of this repository are. */
export const repositoryPackages = path.join(root, 'node_modules');

const SDK = '@rapport/plugin-sdk';

/** Packages that a plugin shares with the hub by their marks only: npm gives a stranger copies of their own. */
const OWN_COPIES = ['@nestjs/common', 'reflect-metadata', 'zod'];

/** A folder outside of this repository, with the packages that npm would put there for a plugin. */
export interface TempProject {
  readonly dir: string;
  /** The SDK as it was packed and installed. */
  readonly sdk: string;
  /** Packs the package in a folder and installs it here by its name. @returns where it is. */
  install(folder: string, name: string): string;
  end(): void;
}

/** Makes the folder, with the SDK packed as for the registry: what `files` leaves out is not there. */
export async function tempProject(): Promise<TempProject> {
  const dir = mkdtempSync(path.join(tmpdir(), 'rapport-plugin-'));
  const packages = path.join(dir, 'node_modules');
  for (const name of readdirSync(repositoryPackages).filter(each => each !== '@rapport' && each !== '@nestjs')) {
    if (!OWN_COPIES.includes(name)) symlink(path.join(repositoryPackages, name), path.join(packages, name));
  }
  for (const name of readdirSync(path.join(repositoryPackages, '@nestjs')).map(each => `@nestjs/${each}`)) {
    if (!OWN_COPIES.includes(name)) symlink(path.join(repositoryPackages, name), path.join(packages, name));
  }
  for (const name of OWN_COPIES) {
    cpSync(path.join(repositoryPackages, name), path.join(packages, name), { recursive: true });
  }
  const staged = path.join(dir, 'staged');
  mkdirSync(staged);
  const built = await runNode([path.join(root, 'scripts/build-sdk.mjs'), '--into', staged]);
  if (built.code !== 0) throw new Error(`the SDK cannot be built: ${built.err}`);
  const install = (folder: string, name: string): string => {
    const to = path.join(packages, name);
    unpacked(folder, to);
    return to;
  };
  return {
    dir,
    sdk: install(staged, SDK),
    install,
    end: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function unpacked(folder: string, to: string): void {
  const options = ['--ignore-scripts', '--offline', '--silent'];
  const archive = execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' }).trim();
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(folder, archive), '-C', to, '--strip-components=1']);
}

function symlink(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to);
}

/** Runs Node in a folder, without the settings of this test run. */
export function nodeIn(cwd: string, words: readonly string[]): { status: number | null; stdout: string } {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const { error, status, stdout } = spawnSync(process.execPath, words, { cwd, env, encoding: 'utf8' });
  if (error) throw error;
  return { status, stdout };
}
