import { isTable, toPastedFile } from '../../console/src/imports/files.ts';
import { listShownRuns } from '../../console/src/imports/runs.ts';
import type { ImportRun } from '../../console/src/imports/types.ts';

const run = (id: string, kind: 'import' | 'undo', status: string, dry_run = false): ImportRun => ({
  id,
  kind,
  dry_run,
  target: kind === 'import' ? 'people' : null,
  started_at: '2026-03-01T09:00:00.000Z',
  status,
  done: null,
  total: null,
  rejected: null,
  result: null,
  retracted: null,
  error: null,
});

describe('listShownRuns', () => {
  it('offers the undo of the newest import only, with what it would retract', () => {
    const counted = run('4', 'undo', 'finished', true);
    const runs = [
      counted,
      run('3', 'import', 'finished'),
      run('2', 'import', 'finished'),
      run('1', 'import', 'finished', true),
    ];
    expect(listShownRuns(runs).map(({ run: { id }, isUndoable, undo }) => [id, isUndoable, undo?.id])).toEqual([
      ['3', true, '4'],
      ['2', false, undefined],
      ['1', false, undefined],
    ]);
  });

  it('offers none while an import works, and none after an undo', () => {
    const isUndoable = (...runs: ImportRun[]) => listShownRuns(runs).some(shown => shown.isUndoable);
    expect(isUndoable(run('1', 'import', 'running'))).toBe(false);
    expect(isUndoable(run('1', 'import', 'cancelled'))).toBe(true);
    expect(isUndoable(run('2', 'undo', 'finished'), run('1', 'import', 'finished'))).toBe(false);
    expect(isUndoable(run('2', 'undo', 'failed'), run('1', 'import', 'finished'))).toBe(true);
  });
});

describe('files to import', () => {
  it('are tables by their name', () => {
    expect(['a.CSV', 'b.xlsx', 'c.png', 'csv'].filter(name => isTable({ name }))).toEqual(['a.CSV', 'b.xlsx']);
  });

  it('are made of pasted rows, with tabs as spreadsheets copy them or with commas', async () => {
    expect([toPastedFile('a\tb').name, toPastedFile('a,b').name]).toEqual(['pasted.tsv', 'pasted.csv']);
    expect(await toPastedFile('a\tb').text()).toBe('a\tb');
  });
});
