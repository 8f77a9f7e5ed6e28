import { existsSync, globSync, readFileSync } from 'node:fs';
import { DOCS_TEXT_PAGES } from '#kernel/http/openapi/llms-text.js';

const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
  paths!.split(' '),
);
const kept = new Set(
  readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('!'))
    .map(line => line.slice(1)),
);

describe('the container image', () => {
  it('installs what every workspace depends on', () => {
    const workspaces = globSync(['src/*/package.json', 'plugins/*/package.json']);
    expect(workspaces).toContain('plugins/calcom/package.json');
    expect(copied).toEqual(expect.arrayContaining(workspaces));
  });

  it('copies what is there, and what reaches the build', () => {
    expect(copied.filter(path => !existsSync(path))).toEqual([]);
    expect(copied.filter(path => !kept.has(path.split('/')[0]!))).toEqual([]);
  });

  it('contains the documentation that the hub serves', () => {
    expect(copied).toContain('docs');
    expect(DOCS_TEXT_PAGES.filter(({ file }) => !existsSync(`docs/${file}`))).toEqual([]);
  });

  it('starts the hub as `npm start` does', () => {
    const [, words] = /^CMD (\[.+\])$/m.exec(readFileSync('Dockerfile', 'utf8'))!;
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    expect(JSON.parse(words!)).toEqual(scripts.start.split(' '));
  });
});
