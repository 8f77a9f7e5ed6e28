import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const kit = pathToFileURL(path.resolve('test/fixtures/plugins/kit.js')).href;

/** A folder of plugins that have one of everything: as many as are wanted. */
export interface ManyPlugins {
  readonly dir: string;
  readonly ids: readonly string[];
  end(): void;
}

/** Writes `count` plugins, each with a job, an event, a webhook, a route, a tool and a connection. */
export function manyPlugins(count: number): ManyPlugins {
  const dir = mkdtempSync(path.join(tmpdir(), 'rapport-many-'));
  const ids = Array.from({ length: count }, (_, n) => `many-${String(n).padStart(2, '0')}`);
  for (const id of ids) writePlugin(path.join(dir, id), id);
  return { dir, ids, end: () => rmSync(dir, { recursive: true }) };
}

function writePlugin(folder: string, id: string): void {
  mkdirSync(folder);
  const put = (file: string, text: string): void => writeFileSync(path.join(folder, file), text);
  const exports = { '.': './index.js', './manifest': './manifest.js' };
  const about = {
    name: `rapport-plugin-${id}`,
    version: '1.0.0',
    keywords: ['rapport-plugin'],
    type: 'module',
    exports,
  };
  put('package.json', JSON.stringify(about));
  put('manifest.js', manifestOf(id));
  put('index.js', moduleOf(id));
}

const toolOf = (id: string): string => `${id.replaceAll('-', '_')}_list`;

function manifestOf(id: string): string {
  return `import { manifestOf, toolManifest } from '${kit}';
export default manifestOf('${id}', {
  credentials: { type: 'object', properties: { key: { type: 'string', secret: true } } },
  jobs: { work: { everyMs: 60000 } },
  consumes: ['observation.recorded'],
  inbound: { post: { signature: null } },
  routes: { read: { method: 'GET', path: 'read', auth: 'workspace' } },
  tools: { ${toolOf(id)}: toolManifest },
});
`;
}

/** Whoever imports a module leaves its id where tests can see it, and each that is open has a timer of its own. */
function moduleOf(id: string): string {
  return `import { mark, moduleOf, toolOptions } from '${kit}';
(globalThis[Symbol.for('rapport-test:imported')] ??= []).push('${id}');
const beating = (globalThis[Symbol.for('rapport-test:beating')] ??= new Set());
class Handlers {
  onModuleInit() { this.beat = setInterval(() => undefined, 60_000); beating.add(this); }
  onModuleDestroy() { clearInterval(this.beat); beating.delete(this); }
  work() {}
  recorded() {}
  post() {}
  read() { return { body: {} }; }
  list() { return { said: 'it' }; }
}
mark('on-job', 'work', Handlers, 'work');
mark('on-event', 'observation.recorded', Handlers, 'recorded');
mark('on-inbound', 'post', Handlers, 'post');
mark('on-route', 'read', Handlers, 'read');
mark('mcp-tool', toolOptions('${toolOf(id)}'), Handlers, 'list');
class Connection {
  async test() { return { outcome: 'ok', message: 'Fine.' }; }
  async connect() {}
  async disconnect() {}
}
Reflect.defineMetadata('rapport:lifecycle', true, Connection);
export default moduleOf(Handlers, Connection);
`;
}
