import { readAuditSearch, toAuditQuery } from '../../console/src/settings/auditSearch.ts';
import { toCsv } from '../../console/src/ui/csv.ts';

describe('a table as CSV', () => {
  it('quotes what needs it, and begins what looks like a formula with an apostrophe', () => {
    expect(
      toCsv([
        ['Name', 'Value'],
        ['=1+1', 'a,b "c"'],
        ['@x', 'line\nbreak'],
      ]),
    ).toBe(`Name,Value\r\n'=1+1,"a,b ""c"""\r\n'@x,"line\nbreak"\r\n`);
  });
});

describe('the address of the audit log', () => {
  it('leaves out what it cannot mean', () => {
    expect(readAuditSearch({ actor: 'key', action: '', since: 'yesterday', until: '2026-03-31' })).toEqual({
      actor: 'key',
      until: '2026-03-31',
    });
  });

  it('asks for whole days, the last one included', () => {
    const { since, until } = toAuditQuery({ since: '2026-03-01', until: '2026-03-01' });
    expect(Date.parse(until!) - Date.parse(since!)).toBe(86_400_000);
  });
});
