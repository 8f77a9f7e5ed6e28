import type { PluginHandler, PluginHandlers, PluginPrompt, PluginResource, PluginTool } from '../handlers.js';
import { lifecycleMethods } from '../lifecycle.js';
import type { PluginManifest } from './manifest.js';

const kinds = [
  { word: 'job', field: 'jobs', decorator: '@OnJob' },
  { word: 'run', field: 'runs', decorator: '@OnRun' },
  { word: 'event', field: 'consumes', decorator: '@OnEvent', key: 'events' },
  { word: 'webhook', field: 'inbound', decorator: '@OnInbound' },
  { word: 'route', field: 'routes', decorator: '@OnRoute' },
  { word: 'tool', field: 'tools', decorator: '@McpTool', by: 'name' },
  { word: 'resource', field: 'resources', decorator: '@McpResource', by: 'uri' },
  { word: 'prompt', field: 'prompts', decorator: '@McpPrompt', by: 'name' },
] as const;

/**
 * Compares a manifest with the handlers in the code, in both directions: every declaration has exactly one handler,
 * every handler is declared, and tools have the same options in both places.
 * @returns one sentence per difference that says how to fix it; empty if they agree
 * @example compareManifest(manifest, collectHandlers(instances))
 */
export function compareManifest(manifest: PluginManifest, handlers: PluginHandlers): string[] {
  return [
    ...kinds.flatMap(kind => compareKind(kind, listDeclared(manifest, kind.field), handlers[handlerKey(kind)])),
    ...handlers.tools.flatMap(tool => compareTool(manifest, tool)),
    ...[...handlers.resources, ...handlers.prompts].flatMap(handler => compareResource(manifest, handler)),
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
  const formatDecorator = (name: string): string => `${decorator}(${by ? `{ ${by}: '${name}' }` : `'${name}'`})`;
  for (const name of declared) {
    const matching = handlers.filter(handler => handler.name === name);
    if (matching.length === 0) {
      faults.push(
        `The manifest declares the ${word} "${name}", but no method has ${formatDecorator(name)}: ` +
          `add one to a provider of the module, or remove "${name}" from "${field}".`,
      );
    }
    if (matching.length > 1) {
      const places = matching.map(handler => handler.where).join(' and ');
      faults.push(`The ${word} "${name}" is handled by ${places}: leave ${formatDecorator(name)} on one of them.`);
    }
  }
  for (const { name, where } of handlers.filter(handler => !declared.includes(handler.name))) {
    faults.push(
      `${where} has ${formatDecorator(name)}, but the manifest does not declare it: ` +
        `add "${name}" to "${field}", or remove the decorator.`,
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
    const setting = findOptionSetting(manifest);
    const needs = manifest.credentials
      ? 'credentials'
      : manifest.inbound
        ? 'inbound'
        : setting && `settings.${setting}`;
    if (!needs) return [];
    return [
      `The manifest declares "${needs}", but no provider of the module has @Lifecycle(): ` +
        'add a class that implements ConnectionLifecycle, so that connections can be tested and created.',
    ];
  }
  if (another) return [`${one.where} and ${another.where} both have @Lifecycle(): leave it on one of them.`];
  const setting = findOptionSetting(manifest);
  const missing =
    setting !== undefined && typeof one.instance['options'] !== 'function'
      ? [`The setting "${setting}" has "options": "provider", but ${one.where} has no method options: add it.`]
      : [];
  return lifecycleMethods
    .filter(method => typeof one.instance[method] !== 'function')
    .map(method => `${one.where} has @Lifecycle(), but no method ${method}: add it.`)
    .concat(missing);
}

/** Returns the first setting whose options come from the provider. */
function findOptionSetting({ settings }: PluginManifest): string | undefined {
  const fields = Object.entries((settings?.['properties'] ?? {}) as Record<string, { options?: unknown }>);
  return fields.find(([, field]) => field.options === 'provider')?.[0];
}
