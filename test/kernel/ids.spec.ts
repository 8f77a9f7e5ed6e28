import { validate, version } from 'uuid';
import { newId } from '#kernel/ids.js';

describe('ids', () => {
  const ids = Array.from({ length: 100_000 }, newId);

  it('are UUIDv7, each another', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(id => validate(id) && version(id) === 7)).toBe(true);
  });

  it('are in the order in which they were made', () => {
    expect(ids.toSorted()).toEqual(ids);
  });
});
