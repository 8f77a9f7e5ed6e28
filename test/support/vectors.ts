import { readFileSync } from 'node:fs';

/** The cases of a file below `test/vectors`. @param name such as `score/plays` */
export function vectorsOf<Vector>(name: string): Vector[] {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as Vector[];
}
