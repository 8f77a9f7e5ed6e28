import { focusOf, observationsOf, readRows, rowOf } from '../../demo/rows.mjs';

const FILE = new URL('../data/people-1000.csv', import.meta.url);
async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const cells = {
  unique_id: '7',
  first_name: 'Noah ',
  surname: 'Watson',
  dob: '2008-03-23',
  city: '',
  email: 'noah@acme.com',
  cluster: '1',
};

describe('a row of the file', () => {
  it('states what its cells say, without the space around them', () => {
    expect(rowOf(cells, 9).facts).toEqual({
      first_name: 'Noah',
      last_name: 'Watson',
      name: 'Noah Watson',
      birth_date: '2008-03-23',
    });
  });

  it('gives no full name where half of it is missing', () => {
    expect(rowOf({ ...cells, surname: ' ' }, 9).facts).toEqual({ first_name: 'Noah', birth_date: '2008-03-23' });
  });

  it('is recorded under an external id, so that a second run changes nothing', () => {
    const [first] = observationsOf(rowOf(cells, 9));
    expect(first).toEqual({
      kind: 'state',
      property: 'first_name',
      value: 'Noah',
      source: 'csv:people-1000',
      method: 'import',
      external_id: 'people-1000:7',
    });
  });

  it.each([
    ['noah@acme.com', 'noah@acme.com'],
    ['', ''],
    ['noahacme.com', 'mailto:noahacme.com'],
  ])('names "%s" as "%s", so that a broken address is never taken for a company', (email, focus) => {
    expect(focusOf({ email })).toBe(focus);
  });
});

describe('the file', () => {
  it('has a thousand rows, on the lines after its heading', async () => {
    const rows = await collected(readRows(FILE));
    expect(rows).toHaveLength(1000);
    expect(rows[0]).toMatchObject({ line: 2, id: '0', email: 'hannah88@powers.com' });
    expect(rows.at(-1)).toMatchObject({ line: 1001, id: '999' });
  });

  it('is read no further than wanted', async () => {
    expect(await collected(readRows(FILE, 3))).toHaveLength(3);
  });
});
