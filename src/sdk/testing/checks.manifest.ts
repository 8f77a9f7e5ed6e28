import { isDeepStrictEqual } from 'node:util';
import { checkManifest } from '../check-manifest.js';
import { manifestSchema } from '../manifest.schema.js';
import { parseWithSchema } from './schemas.js';
import { type ConformanceCheck, assertNoFaults, type PluginUnderTest } from './plugin-under-test.js';

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
