import { globSync, readFileSync } from 'node:fs';

/** Lowest first: a folder of the graph may import from its own level's left and below, never from the right. */
const graphLevels = [
  ['facts', 'triggers', 'crm-sync'],
  ['identity', 'workspace'],
  ['claims'],
  ['observations'],
  ['score'],
  ['icp', 'lists'],
  ['people', 'merges', 'verify', 'dedup', 'attention', 'open-text', 'trust'],
  ['notes'],
  ['leads', 'accounts'],
  ['context', 'query'],
  ['graph-port'],
];

const files = globSync('{src,scripts,bin,bench}/**/*.{ts,mjs}');
const sources = files.filter(file => file.endsWith('.ts'));

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gms)].map(([, from]) => from!);
}

function graphFolderOf(path: string): string | undefined {
  return /(?:^src\/graph\/|#graph\/|^\.\.\/)([a-z-]+)\//.exec(path)?.[1];
}

describe('the layers of src', () => {
  it('each have files', () => {
    for (const layer of ['domain', 'kernel', 'plugin-host', 'auth-server', 'graph', 'sdk']) {
      expect(files.filter(file => file.startsWith(`src/${layer}/`))).not.toHaveLength(0);
    }
  });

  it('lets folders of the graph import lower ones only', () => {
    const levelOf = (folder: string | undefined) => graphLevels.findIndex(level => level.includes(folder ?? ''));
    const upward = sources
      .filter(file => file.startsWith('src/graph/'))
      .flatMap(file => importsOf(file).map(from => ({ file, from })))
      .filter(({ file, from }) => graphFolderOf(file) && graphFolderOf(from) !== graphFolderOf(file))
      .filter(
        ({ file, from }) =>
          levelOf(graphFolderOf(from)) >= levelOf(graphFolderOf(file)) && levelOf(graphFolderOf(from)) >= 0,
      );
    expect(upward).toEqual([]);
  });

  it('keeps files short', () => {
    const lengths = files.map(file => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }));
    const sorted = lengths.map(({ lines }) => lines).toSorted((a, b) => a - b);
    expect(lengths.filter(({ lines }) => lines > 300)).toEqual([]);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(60);
    expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThan(150);
  });

  it('opens tenant transactions in one place only', () => {
    const openers = sources.filter(
      file => file.startsWith('src/') && /app\.workspace_id/.test(readFileSync(file, 'utf8')),
    );
    expect(openers.toSorted()).toEqual([
      'src/kernel/db/open-transaction.ts',
      'src/migrations/0001-baseline/01-directory.migration.ts',
    ]);
  });
});
