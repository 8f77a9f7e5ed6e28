import { readFileSync } from 'node:fs';
import { InvalidConfigError } from './config-errors.js';

/**
 * Reads the settings whose file is named by `<NAME>_FILE`, without the line break at the end of the file.
 * @throws InvalidConfigError if a file cannot be read or is empty, or if the setting is there too
 */
export function readSecretFiles(present: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const named = names.filter(name => present[`${name}_FILE`] !== undefined);
  return Object.fromEntries(named.map(name => [name, readSecretFile(name, present)]));
}

function readSecretFile(name: string, present: NodeJS.ProcessEnv): string {
  if (present[name] !== undefined) throw new InvalidConfigError(`${name}_FILE: ${name} is set too; remove one of them`);
  const file = present[`${name}_FILE`]!;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new InvalidConfigError(`${name}_FILE: ${file} cannot be read (${code})`);
  }
  if (text === '') throw new InvalidConfigError(`${name}_FILE: ${file} is empty`);
  return text;
}
