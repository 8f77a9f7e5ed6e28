import { existsSync, readFileSync } from 'node:fs';

/** Rows of the tables of risks in docs/security.md, by their first cell. */
function readRows(): (readonly [risk: string, answer: string, tests: readonly string[]])[] {
  const text = readFileSync('docs/security.md', 'utf8');
  return [...text.matchAll(/^\| ((?:API\d+|V\d+\.\d+) [^|]+?) *\| *([^|]*?) *\|([^|]*)\|$/gm)].map(
    ([, risk, answer, tests]) => [risk!, answer!, [...tests!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)],
  );
}

/** Number of sections of each chapter of ASVS 4.0.3. */
const ASVS_SECTIONS = [14, 10, 7, 3, 5, 4, 4, 3, 2, 3, 1, 6, 4, 5];

it('docs/security.md answers each risk and section of OWASP by a test that exists', () => {
  const rows = readRows();
  const risks = rows.map(([risk]) => risk.split(' ')[0]);
  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
  const sections = ASVS_SECTIONS.flatMap((count, i) => numbered(`V${i + 1}.`, count));
  expect(risks).toEqual([...numbered('API', 10), ...sections]);
  const applying = rows.filter(([, answer]) => !answer.startsWith('does not apply: '));
  const untested = applying.filter(([, , tests]) => tests.length === 0 || !tests.every(path => existsSync(path)));
  expect(untested).toEqual([]);
});
