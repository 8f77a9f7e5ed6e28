import { registerHooks } from 'node:module';

/** Query parameter of a module's URL that makes Node load it again. */
const PARAMETER = 'generation';

/** A file of a plugin cannot be loaded again in the running process. */
class NotReloadableError extends Error {}

/**
 * Imports a module. A generation above 0 imports it again together with every file of its package that it imports, so that
 * a new version is never mixed with files of an older one. Packages in `node_modules` keep their modules.
 * @throws NotReloadableError for a generation above 0 if a file of the package is CommonJS, which Node keeps
 */
export async function importGeneration(url: string, generation: number): Promise<Record<string, unknown>> {
  if (generation === 0) return (await import(url)) as Record<string, unknown>;
  return (await import(`${url}?${PARAMETER}=${generation}`)) as Record<string, unknown>;
}

/**
 * Passes the generation of a module on to the files that it imports. Applies to the whole process until it is undone.
 * @returns undoes it
 */
export function passOnGenerations(): () => void {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const generation = readGeneration(context.parentURL);
      if (generation === null || !isOwnFile(resolved.url)) return resolved;
      if (resolved.format === 'commonjs')
        throw new NotReloadableError(`${specifier} is CommonJS, which cannot be loaded again: restart the hub.`);
      return { ...resolved, url: `${resolved.url}?${PARAMETER}=${generation}` };
    },
  });
  return () => hooks.deregister();
}

function readGeneration(url: string | undefined): string | null {
  if (!url?.startsWith('file:') || !url.includes('?')) return null;
  return new URL(url).searchParams.get(PARAMETER);
}

/** Returns whether a file belongs to the package itself. */
function isOwnFile(url: string): boolean {
  return url.startsWith('file:') && !url.includes('?') && !url.includes('/node_modules/');
}
