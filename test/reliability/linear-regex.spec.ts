import { measureGrowth } from '../support/linear/measure.js';
import { findRegularExpressions } from '../support/linear/regular-expressions.js';
import { DYNAMIC, fileOf } from '../support/linear/subjects.js';

describe('work on text from outside', () => {
  it('knows each regular expression that is made of values of the run time', () => {
    const { dynamic } = findRegularExpressions();
    expect([...new Set(dynamic.map(fileOf))]).toEqual(Object.keys(DYNAMIC));
  });

  it('grows in proportion to the text for each regular expression', async () => {
    const { count, offenders } = await measureGrowth('expressions');
    expect(count).toBeGreaterThan(400);
    expect(offenders).toEqual([]);
  });

  it('grows in proportion to the text for each function that reads one', async () => {
    const { count, offenders } = await measureGrowth('scans');
    expect(count).toBeGreaterThan(30);
    expect(offenders).toEqual([]);
  });
});
