import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/process/rapport-command.js';

const script = fileURLToPath(new URL('../../scripts/sdk-reference.mjs', import.meta.url));

describe('the reference of the SDK', () => {
  it('is current', async () => {
    expect(await runNode([script, '--check'])).toEqual({ code: 0, out: '', err: '' });
  });

  it('tells of every file that the package gives', () => {
    const chapters = readFileSync('scripts/sdk-reference/chapters.mjs', 'utf8');
    const given = ['index.ts', 'testing/index.ts'].flatMap(index => {
      const folder = index.slice(0, -'index.ts'.length);
      const files = readFileSync(`src/sdk/${index}`, 'utf8').matchAll(/from '\.\/([^']+)\.js'/g);
      return [...files].map(([, file]) => `${folder}${file}.ts`);
    });
    expect(given.filter(file => !chapters.includes(`'${file}'`))).toEqual([]);
  });

  it('has a sentence and an example for every name', () => {
    const entries = readFileSync('docs/plugins-reference.md', 'utf8').split('\n### ').slice(1);
    expect(entries.length).toBeGreaterThan(80);
    const bare = entries.filter(entry => !entry.includes('\nExample:\n') || /^\S+\n\n```/.test(entry));
    expect(bare.map(entry => entry.split('\n')[0])).toEqual([]);
  });
});

it('keeps the SDK apart from the rest of the hub', () => {
  const foreign = globSync('src/sdk/**/*.ts', { exclude: ['src/sdk/dist'] }).flatMap(file => {
    const imports = readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g);
    return [...imports]
      .map(([, from]) => from!)
      .filter(from => !/^(\.{1,2}\/|node:|@nestjs\/(common|core)$|ajv\/)/.test(from));
  });
  expect(foreign).toEqual([]);
});
