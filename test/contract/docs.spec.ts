import { globSync, readFileSync } from 'node:fs';
import { listVocabulary } from '#domain/vocabulary/vocabulary.js';
import { errorTable } from '#kernel/errors/error-table.js';

interface Row {
  readonly name: string;
  readonly cells: readonly string[];
}

/** Returns the rows of all tables in a page, or in one of its sections, whose first cell is one name in backticks. */
function readRows(page: string, section?: string): Row[] {
  const text = readFileSync(page, 'utf8');
  const part = section === undefined ? text : text.split(/^## /m).find(each => each.startsWith(`${section}\n`));
  const rows = (part ?? '').matchAll(/^\| `([^`]+)` +\|(.*)\|$/gm);
  return [...rows].map(([, name, rest]) => ({ name: name!, cells: rest!.split('|').map(cell => cell.trim()) }));
}

describe('docs/errors.md', () => {
  it('lists every code of the error table once, with its status, a cause and a fix', () => {
    const listed = readRows('docs/errors.md').filter(({ cells }) => cells.length === 3);
    const expected = Object.entries(errorTable).map(([code, { status }]) => `${code} ${status}`);
    expect(listed.map(({ name, cells }) => `${name} ${cells[0]}`).toSorted()).toEqual(expected.toSorted());
    expect(listed.filter(({ cells: [, cause, fix] }) => !cause || !fix).map(({ name }) => name)).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  it('lists every setting of the environment once', () => {
    const sources = ['env', 'oidc-settings'].map(name => readFileSync(`src/kernel/config/${name}.ts`, 'utf8'));
    const settings = sources.join('\n').matchAll(/^ {2}([A-Z][A-Z_]+): (?!\w+[,;]$)/gm);
    const expected = [...settings].map(([, name]) => name!);
    expect(expected.length).toBeGreaterThan(20);
    const listed = readRows('docs/operations.md', 'Settings').map(({ name }) => name);
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });
});

describe('docs/vocabulary.md', () => {
  it('lists every property with its aliases and readers, and every event', () => {
    const { properties, events } = listVocabulary();
    const words = (list: readonly string[]) => list.map(each => `\`${each}\``).join(', ') || '-';
    expect(readRows('docs/vocabulary.md', 'Properties')).toEqual(
      properties.map(({ name, type, on, description, aliases, read_by }) => ({
        name,
        cells: [type, on.join(', '), description, words(aliases), read_by.join(', ') || '-'],
      })),
    );
    expect(readRows('docs/vocabulary.md', 'Events')).toEqual(
      events.map(({ name, direction, description, aliases }) => ({
        name,
        cells: [direction, description, words(aliases)],
      })),
    );
  });
});

describe('the pages for engineers', () => {
  it('name source files that exist', () => {
    const files = globSync('{src,test,bench,scripts,plugins,console}/**/*.{ts,tsx,mts,mjs}', {
      exclude: ['**/node_modules'],
    });
    const exists = (name: string) => files.some(file => file === name || file.endsWith(`/${name}`));
    const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];
    const named = pages.flatMap(page =>
      [...readFileSync(page, 'utf8').matchAll(/(?<![\w./-])([\w/-]+(?:\.[\w-]+)*\.(?:ts|mjs))(?!\w)/g)].map(
        ([, name]) => ({ page, name: name! }),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !exists(name))).toEqual([]);
  });
});
