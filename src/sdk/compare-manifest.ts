import type { PluginHandler, PluginHandlers, PluginPrompt, PluginResource, PluginTool } from './handlers.js';
import { lifecycleMethods } from './lifecycle.js';
import type { PluginManifest } from './manifest.js';

const kinds = [
  { word: 'job', field: 'jobs', decorator: '@OnJob' },
  { word: 'event', field: 'consumes', decorator: '@OnEvent', key: 'events' },
  { word: 'webhook', field: 'inbound', decorator: '@OnInbound' },
  { word: 'route', field: 'routes', decorator: '@OnRoute' },
  { word: 'tool', field: 'tools', decorator: '@McpTool', by: 'name' },
  { word: 'resource', field: 'resources', decorator: '@McpResource', by: 'uri' },
  { word: 'prompt', field: 'prompts', decorator: '@McpPrompt', by: 'name' },
] as const;

/**
 * Compares what a manifest declares with what the code handles, both ways: everything declared has one handler, every
 * handler is declared, and tools say the same about themselves in both places.
 * @returns a sentence for each difference that says how to mend it; none when they agree
 * @example compareManifest(manifest, handlersOf(instances))
 */
export function compareManifest(manifest: PluginManifest, handlers: PluginHandlers): string[] {
  return [
    ...kinds.flatMap(kind => compareKind(kind, listDeclared(manifest, kind.field), handlers[handlerKey(kind)])),
    ...handlers.tools.flatMap(tool => compareTool(manifest, tool)),
    ...[...handlers.resources, ...handlers.prompts].flatMap(offer => compareResource(manifest, offer)),
    ...compareLifecycle(manifest, handlers.lifecycles),
  ];
}

type Kind = (typeof kinds)[number];

function handlerKey(kind: Kind): Exclude<keyof PluginHandlers, 'lifecycles'> {
  return 'key' in kind ? kind.key : kind.field;
}

function listDeclared(manifest: PluginManifest, field: Kind['field']): readonly string[] {
  const declared: readonly string[] | Readonly<Record<string, unknown>> = manifest[field] ?? [];
  return Array.isArray(declared) ? (declared as readonly string[]) : Object.keys(declared);
}

function compareKind(
  { word, field, decorator, ...kind }: Kind,
  declared: readonly string[],
  handlers: readonly PluginHandler[],
): string[] {
  const faults: string[] = [];
  const by = 'by' in kind ? kind.by : undefined;
  const mark = (name: string): string => `${decorator}(${by ? `{ ${by}: '${name}' }` : `'${name}'`})`;
  for (const name of declared) {
    const takers = handlers.filter(handler => handler.name === name);
    if (takers.length === 0) {
      faults.push(
        `The manifest declares the ${word} "${name}", but no method has ${mark(name)}: ` +
          `add one to a provider of the module, or take "${name}" out of "${field}".`,
      );
    }
    if (takers.length > 1) {
      const who = takers.map(taker => taker.where).join(' and ');
      faults.push(`The ${word} "${name}" is taken by ${who}: leave ${mark(name)} on one of them.`);
    }
  }
  for (const { name, where } of handlers.filter(handler => !declared.includes(handler.name))) {
    faults.push(
      `${where} has ${mark(name)}, but the manifest does not declare it: ` +
        `add "${name}" to "${field}", or take the decorator away.`,
    );
  }
  return faults;
}

function compareTool({ tools }: PluginManifest, { name, options, where }: PluginTool): string[] {
  const declared = tools?.[name];
  if (!declared) return [];
  const { annotations } = options;
  const pairs: [field: string, inManifest: unknown, hint: string, inCode: unknown][] = [
    ['visibility', declared.visibility, 'visibility', options.visibility ?? 'agent'],
    ['readOnly', declared.readOnly, 'readOnlyHint', annotations?.readOnlyHint],
    ['idempotent', declared.idempotent, 'idempotentHint', annotations?.idempotentHint],
    ['destructive', declared.destructive, 'destructiveHint', annotations?.destructiveHint],
  ];
  if (options.minPlan !== undefined) pairs.push(['minPlan', declared.minPlan, 'minPlan', options.minPlan]);
  return pairs
    .filter(([, inManifest, , inCode]) => inManifest !== inCode)
    .map(
      ([field, inManifest, hint, inCode]) =>
        `The tool "${name}" has ${field} ${String(inManifest)} in the manifest, but ${hint} ${String(inCode)} ` +
        `at ${where}: make them agree.`,
    );
}

function compareResource(manifest: PluginManifest, { name, options, where }: PluginResource | PluginPrompt): string[] {
  const [word, declared] =
    'uri' in options ? ['resource', manifest.resources?.[name]] : ['prompt', manifest.prompts?.[name]];
  if (!declared || options.minPlan === undefined || declared.minPlan === options.minPlan) return [];
  const inManifest = String(declared.minPlan);
  return [
    `The ${word} "${name}" has minPlan ${inManifest} in the manifest, but minPlan ${options.minPlan} at ${where}: ` +
      'make them agree.',
  ];
}

function compareLifecycle(manifest: PluginManifest, found: PluginHandlers['lifecycles']): string[] {
  const [one, another] = found;
  if (!one) {
    const needs = manifest.credentials ? 'credentials' : manifest.inbound && 'inbound';
    if (!needs) return [];
    return [
      `The manifest declares "${needs}", but no provider of the module has @Lifecycle(): ` +
        'add a class that implements ConnectionLifecycle, so that connections can be tested and made.',
    ];
  }
  if (another) return [`${one.where} and ${another.where} both have @Lifecycle(): leave it on one of them.`];
  return lifecycleMethods
    .filter(method => typeof one.instance[method] !== 'function')
    .map(method => `${one.where} has @Lifecycle(), but no method ${method}: add it.`);
}
