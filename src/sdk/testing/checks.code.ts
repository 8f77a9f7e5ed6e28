import { compareManifest } from '../compare.js';
import type { PluginTool } from '../handlers.js';
import type { JsonSchema } from '../schema.js';
import { jsonSchemaOf } from './schemas.js';
import { type Check, onStage, refuse, type Subject } from './subject.js';
import { openPlugin } from './container.js';

/** The code, without running its handlers. */
export function codeChecks(subject: Subject): Check[] {
  return [
    {
      name: 'the manifest and the code agree',
      run: async () => {
        const opened = await openPlugin(subject.plugin);
        await opened.close();
        refuse([...opened.faults, ...compareManifest(subject.manifest, opened.handlers)]);
      },
    },
    {
      name: 'the tools are well formed',
      run: () => onStage(subject, async hub => refuse(hub.handlers.tools.flatMap(faultsOf))),
    },
  ];
}

/** The rules by which the hub would leave a tool out. */
function faultsOf({ name, options, where }: PluginTool): string[] {
  const said = (fault: string): string => `The tool "${name}" at ${where}: ${fault}.`;
  const { title, description, scopes, annotations } = options;
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
  const rules: [holds: boolean, fault: string][] = [
    [/^[a-z][a-z0-9_]{0,47}$/.test(name), 'its name must be 1 to 48 characters of a-z, 0-9 and _'],
    [typeof title === 'string' && title.trim() !== '', 'it needs a title'],
    [
      typeof description === 'string' && description.length >= 30,
      'its description must tell a model what comes back and when to use it',
    ],
    [Array.isArray(scopes), 'it must list the scopes it needs (an empty list for none)'],
    [hints.every(hint => typeof annotations?.[hint] === 'boolean'), `its annotations must set ${hints.join(', ')}`],
  ];
  const faults = rules.filter(([holds]) => !holds).map(([, fault]) => fault);
  return [...faults, ...schemaFaults(options.input, 'input'), ...schemaFaults(options.output, 'output')].map(said);
}

function schemaFaults(declared: PluginTool['options']['output'], io: 'input' | 'output'): string[] {
  if (!declared) return [];
  try {
    return lint(jsonSchemaOf(declared, io), io);
  } catch (error) {
    return [`its ${io} cannot become a JSON Schema (${(error as Error).message})`];
  }
}

function lint(schema: JsonSchema, io: string): string[] {
  const faults = schema['type'] === 'object' ? [] : [`the root of its ${io} must have type "object"`];
  const combined = ['anyOf', 'oneOf', 'allOf'].filter(word => word in schema);
  const remote = /"\$(?:dynamicR|r)ef":"(?!#)/.test(JSON.stringify(schema));
  return [
    ...faults,
    ...combined.map(word => `the root of its ${io} must not use ${word}: describe the variants inside a property`),
    ...(remote ? [`its ${io} must not point outside of itself with $ref`] : []),
  ];
}
