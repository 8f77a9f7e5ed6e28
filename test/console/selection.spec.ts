import { loadTicked, type ExportRequest } from '../../console/src/lists/exportRows.ts';
import { listBetween } from '../../console/src/lists/listBetween.ts';

describe('the rows between two', () => {
  it.each([
    ['b', 'd', ['b', 'c', 'd']],
    ['d', 'b', ['b', 'c', 'd']],
    ['c', 'c', ['c']],
    [undefined, 'c', ['c']],
    ['gone', 'c', ['c']],
  ])('from %s to %s are %j', (from, to, rows) => {
    expect(listBetween(['a', 'b', 'c', 'd', 'e'], from, to)).toEqual(rows);
  });
});

it('an export of many ticked rows is loaded in parts, and names its columns once', async () => {
  const ids = Array.from({ length: 450 }, (_, n) => `id-${n}`);
  const requests: ExportRequest[] = [];
  const load = async (request: ExportRequest) => {
    requests.push(request);
    const { id } = JSON.parse(request.filter!) as { id: { $in: string[] } };
    return new Blob([`id,name\r\n${id.$in.map(each => `${each},"A ""b"""\r\n`).join('')}`]);
  };
  const csv = await loadTicked(load, { sort: 'name', fields: 'id,name' }, 'id', ids);
  expect(requests.map(({ sort, search, fields }) => ({ sort, search, fields }))).toEqual(
    Array.from({ length: 3 }, () => ({ sort: 'name', search: undefined, fields: 'id,name' })),
  );
  const lines = (await csv.text()).trim().split('\r\n');
  expect(lines).toHaveLength(451);
  expect(lines.filter(line => line.startsWith('id,'))).toEqual(['id,name']);
  expect(lines[450]).toBe('id-449,"A ""b"""');
});
