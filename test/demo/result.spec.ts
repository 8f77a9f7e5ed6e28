import { progressLine } from '../../demo/progress.mjs';
import { figureLines, rejectionLines } from '../../demo/result.mjs';
import { rowOf } from '../../demo/rows.mjs';
import { mostTalkedAbout, nameMostUsed, Tally } from '../../demo/tally.mjs';

const plain = (_: string, text: string) => text;
const row = (line: number, email: string, surname = 'Watson') =>
  rowOf({ unique_id: `${line}`, first_name: 'Noah', surname, dob: '', city: '', email }, line);
const accepted = (entity_id: string, recorded = 3) => ({
  status: 200,
  body: { entity_id, recorded, duplicates: 3 - recorded, claims_recomputed: ['name'] },
  waits: 0,
});
const refused = (detail: string, status = 400) => ({ status, body: { error: 'invalid_focus', detail }, waits: 0 });

describe('the tally', () => {
  it('counts what was recorded, what was there before and what was refused', () => {
    const tally = new Tally();
    tally.count(row(2, 'a@acme.com'), accepted('A'));
    tally.count(row(3, 'a@acme.com'), accepted('A', 1));
    tally.count(row(4, ''), refused('Send focus.'));
    expect(tally).toMatchObject({ recorded: 4, repeated: 2 });
    expect(tally.rejections).toMatchObject([{ row: { line: 4 }, status: 400, reason: 'Send focus.' }]);
    expect(tally.failures).toEqual([]);
    expect(figureLines(tally, 2).join('\n')).toContain('rows accepted         2 of 3');
  });

  it('sets faults of the hub apart from faults of the file', () => {
    const tally = new Tally();
    tally.count(row(2, 'a@acme.com'), refused('Something failed on our side.', 500));
    expect(tally.failures).toHaveLength(1);
  });

  it('finds the entity with most rows, and among equals the one with most contradictions', () => {
    const same = [row(2, 'a@acme.com'), row(3, 'a@acme.com')];
    const other = [row(4, 'b@acme.com'), row(5, 'b@acme.com', 'Wotson')];
    expect(
      mostTalkedAbout(
        new Map([
          ['A', same],
          ['B', other],
          ['C', [row(6, 'c@acme.com')]],
        ]),
      ),
    ).toBe('B');
    expect(mostTalkedAbout(new Map())).toBeUndefined();
    expect(nameMostUsed([...same, ...other])).toBe('Noah Watson');
  });
});

describe('the rejected rows', () => {
  const reject = (line: number, email: string, reason: string) => ({ row: row(line, email), status: 400, reason });

  it('stand under their reasons, the most frequent first, in the order of the file', () => {
    const lines = rejectionLines(
      [reject(9, 'noah', 'No "@" in it.'), reject(12, '', 'Send focus.'), reject(4, '', 'Send focus.')],
      plain,
      80,
    );
    expect(lines).toEqual([
      '      2 × 400  Send focus.',
      '               empty cell, lines 4 12',
      '',
      '      1 × 400  No "@" in it.',
      '               9 noah',
      '',
    ]);
  });

  it('share a reason that differs only in the ending it quotes', () => {
    const ending = (end: string) => `No public domain ends in "${end}"; check the spelling.`;
    const lines = rejectionLines([reject(2, 'a@b.cos', ending('.cos')), reject(3, 'a@b.iz', ending('.iz'))], plain, 80);
    expect(lines[0]).toBe('      2 × 400  No public domain ends in ".…"; check the spelling.');
    expect(lines[1]).toBe('               2 a@b.cos  3 a@b.iz');
  });
});

it('draws progress as a bar with figures', () => {
  expect(progressLine(500, 1000, 2, 7)).toBe('  ████████████████░░░░░░░░░░░░░░░░ 500/1,000  250 rows/s  7 rejected');
});
