import { existsSync, readFileSync } from 'node:fs';

/** Rows of the tables of risks in docs/security.md, by their first cell. */
function readRows(): (readonly [risk: string, tests: readonly string[]])[] {
  const text = readFileSync('docs/security.md', 'utf8');
  return [...text.matchAll(/^\| ((?:API|V)\d+ [^|]+?) *\|[^|]*\|([^|]*)\|$/gm)].map(([, risk, tests]) => [
    risk!,
    [...tests!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  ]);
}

it('docs/security.md answers each risk of OWASP by a test that exists', () => {
  const rows = readRows();
  const risks = rows.map(([risk]) => risk.split(' ')[0]);
  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
  expect(risks).toEqual([...numbered('API', 10), ...numbered('V', 14)]);
  const untested = rows.filter(([, tests]) => tests.length === 0 || !tests.every(path => existsSync(path)));
  expect(untested).toEqual([]);
});
