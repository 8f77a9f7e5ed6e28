import { isDeepStrictEqual } from 'node:util';
import { checkManifest } from '../../manifest/check-manifest.js';
import { manifestSchema } from '../../manifest/manifest.schema.js';
import { parseWithSchema, convertToJsonSchema } from '../schemas.js';
import { type ConformanceCheck, assertNoFaults, type PluginUnderTest, withTestHub } from '../plugin-under-test.js';
import { compareManifest } from '../../manifest/compare-manifest.js';
import type { PluginTool } from '../../handlers.js';
import type { JsonSchema } from '../../schema.js';
import { openTestPlugin } from '../plugin-container.js';

/** Returns the checks of the manifest itself. */
export function manifestChecks({ manifest, fixtures }: PluginUnderTest): ConformanceCheck[] {
  return [
    {
      name: 'the manifest survives JSON',
      run: async () => {
        if (isDeepStrictEqual(JSON.parse(JSON.stringify(manifest)), manifest)) return;
        throw new Error(
          'The manifest holds something that JSON does not (undefined, a function, a date): make it plain data.',
        );
      },
    },
    {
      name: 'the manifest fits its schema',
      run: async () => {
        const parsed = parseWithSchema(manifestSchema, manifest);
        if ('problems' in parsed) assertNoFaults(parsed.problems.map(problem => `manifest${problem}`));
      },
    },
    {
      name: 'the manifest agrees with itself',
      run: async () => assertNoFaults(checkManifest(manifest, { freeToolNames: fixtures.freeToolNames === true })),
    },
  ];
}

/** Returns the checks of the code that need no handler to run. */
export function codeChecks(subject: PluginUnderTest): ConformanceCheck[] {
  return [
    {
      name: 'the manifest and the code agree',
      run: async () => {
        const opened = await openTestPlugin(subject.plugin);
        await opened.close();
        assertNoFaults([...opened.faults, ...compareManifest(subject.manifest, opened.handlers)]);
      },
    },
    {
      name: 'the tools are well formed',
      run: () => withTestHub(subject, async hub => assertNoFaults(hub.handlers.tools.flatMap(validateTool))),
    },
  ];
}

/** Checks the rules under which the hub rejects a tool. */
function validateTool({ name, options, where }: PluginTool): string[] {
  const formatFault = (fault: string): string => `The tool "${name}" at ${where}: ${fault}.`;
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
  return [...faults, ...validateSchema(options.input, 'input'), ...validateSchema(options.output, 'output')].map(
    formatFault,
  );
}

function validateSchema(declared: PluginTool['options']['output'], io: 'input' | 'output'): string[] {
  if (!declared) return [];
  try {
    return lintSchema(convertToJsonSchema(declared, io), io);
  } catch (error) {
    return [`its ${io} cannot become a JSON Schema (${(error as Error).message})`];
  }
}

function lintSchema(schema: JsonSchema, io: string): string[] {
  const faults = schema['type'] === 'object' ? [] : [`the root of its ${io} must have type "object"`];
  const combined = ['anyOf', 'oneOf', 'allOf'].filter(word => word in schema);
  const remote = /"\$(?:dynamicR|r)ef":"(?!#)/.test(JSON.stringify(schema));
  return [
    ...faults,
    ...combined.map(word => `the root of its ${io} must not use ${word}: describe the variants inside a property`),
    ...(remote ? [`its ${io} must not point outside of itself with $ref`] : []),
  ];
}
