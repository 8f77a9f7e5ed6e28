import { existsSync, globSync, readFileSync } from 'node:fs';
import { SECRET_SETTINGS } from '#kernel/config/env.js';
import { DOCS_TEXT_PAGES } from '#kernel/http/openapi/llms.controller.js';

const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
  paths!.split(' '),
);
const keptNames = new Set(
  readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('!'))
    .map(line => line.slice(1)),
);

describe('the container image', () => {
  it('installs what every workspace depends on', () => {
    const workspaces = globSync(['console/package.json', 'src/*/package.json', 'plugins/*/package.json']);
    expect(workspaces).toContain('plugins/calcom/package.json');
    expect(copied).toEqual(expect.arrayContaining(workspaces));
  });

  it('copies what is there, and what reaches the build', () => {
    expect(copied.filter(path => !existsSync(path))).toEqual([]);
    expect(copied.filter(path => !keptNames.has(path.split('/')[0]!))).toEqual([]);
  });

  it('contains the documentation that the hub serves', () => {
    expect(copied).toContain('docs');
    expect(DOCS_TEXT_PAGES.filter(({ file }) => !existsSync(`docs/${file}`))).toEqual([]);
  });

  it('is healthy while the process is alive, whatever its dependencies do', () => {
    const [check] = /^HEALTHCHECK[^\n]*\\\n[^\n]*/m.exec(readFileSync('Dockerfile', 'utf8'))!;
    expect(check).toContain('/healthz');
  });

  it('starts the hub as `npm start` does', () => {
    const [, words] = /^CMD (\[.+\])$/m.exec(readFileSync('Dockerfile', 'utf8'))!;
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    expect(JSON.parse(words!)).toEqual(scripts.start.split(' '));
  });
});

it('no package of the tree sends telemetry when it is installed', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, unknown> };
  expect(Object.keys(lock.packages).filter(path => path.includes('@scarf/'))).toEqual([]);
});

describe('docker-compose.yml', () => {
  const compose = readFileSync('docker-compose.yml', 'utf8');

  it('publishes one port for each container, which every engine can do', () => {
    const ports = [...compose.matchAll(/ports: \['(.*)'\]/g)].map(([, port]) => port);
    expect(ports).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:3001:3000']);
  });

  it('keeps the secrets of the hub in files that the hub and `rapport admin` read', () => {
    const files = [...compose.matchAll(/^ +([A-Z_]+)_FILE: \/secrets\/(?!\w*password)/gm)].map(([, name]) => name!);
    expect(files).toEqual(['DATABASE_URL', 'REDIS_URL', 'SECRET_KEYS']);
    expect(SECRET_SETTINGS).toEqual(expect.arrayContaining(files));
  });

  it('bounds every service: a read-only root, no capability but named ones, memory and processes', () => {
    const services = /^services:\n([^]*?)^volumes:/m.exec(compose)![1]!;
    const shared = /^x-hub: &hub\n([^]*?)^$/m.exec(compose)![1]!;
    const bodies = services.split(/^ {2}(?=[a-z])/m).filter(part => part.trim() !== '' && !part.trim().startsWith('#'));
    const rules = ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true', 'mem_limit: ', 'pids_limit: '];
    const unbounded = bodies.flatMap(body => {
      const text = /\*(?:hub|api)\b/.test(body) ? body + shared : body;
      return rules.filter(rule => !text.includes(rule)).map(rule => `${body.split(':')[0]}: ${rule}`);
    });
    expect(bodies.length).toBeGreaterThanOrEqual(5);
    expect(unbounded).toEqual([]);
  });
});
