import fc from 'fast-check';
import { type LinkedStates, linkAddressStates, listAddressStatuses } from '#domain/claims/address-status.js';
import { appendStatement, foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { deserializeState, emptyState, serializeState, type Statement } from '#domain/claims/property-state.js';
import { defaultRules as rules } from '#domain/claims/rules.js';
import { anyAddressLog, at, LATER, lifting, shuffled, statement } from './claims-logs.js';

const OLD = 'ada@before.example';
const NEW = 'ada@now.example';

/** A line about the status: its value, source, day of 2026, and the address that it is about. */
type Line = readonly [value: string | null, origin: string, day: string, address?: string];

const day = (text: string) => at(`2026-${text}T00:00:00Z`);

function toStatement([value, origin, time, address]: Line): Statement {
  return { ...statement('email_status', value, origin, day(time)), ...(address !== undefined && { address }) };
}

/** The old address since January, the new one since June. */
const moved = [
  statement('email', OLD, 'crm:a/sync', day('01-01')),
  statement('email', NEW, 'user/correction', day('06-01')),
];

function link(emails: readonly Statement[], statuses: readonly Statement[]): LinkedStates {
  const fold = (property: string, log: readonly Statement[]) =>
    log.length === 0 ? undefined : foldAll(rules, property, log, LATER);
  return linkAddressStates(rules, { email: fold('email', emails), status: fold('email_status', statuses) });
}

function statusOf({ status }: LinkedStates): unknown {
  return status && toClaim(rules, 'email_status', status, LATER)?.value;
}

describe('the status of the current address', () => {
  const cases: readonly [title: string, lines: readonly Line[], expected: unknown][] = [
    ['is that of this address', [['valid', 'email:g', '07-01', NEW]], 'valid'],
    ['is unknown if only the old one bounced', [['bounced', 'email:g', '03-01', OLD]], undefined],
    ['is unknown if the old one bounces later', [['bounced', 'email:g', '08-01', OLD]], undefined],
    ['is what was stated without an address since it is current', [['bounced', 'email:g', '08-01']], 'bounced'],
    ['is not what was stated without an address before', [['bounced', 'email:g', '03-01']], undefined],
    [
      'is the newer of what names it and what names none',
      [
        ['bounced', 'email:g', '07-01', NEW],
        ['valid', 'user/manual', '08-01'],
      ],
      'valid',
    ],
    ['is an opt-out of another address', [['unsubscribed', 'email:g', '03-01', OLD]], 'unsubscribed'],
    [
      'is an opt-out whatever a machine states later',
      [
        ['unsubscribed', 'email:g', '03-01', OLD],
        ['valid', 'email:g', '08-01', NEW],
      ],
      'unsubscribed',
    ],
    [
      'is what a person corrects it to',
      [
        ['unsubscribed', 'email:g', '03-01', OLD],
        ['valid', 'user/correction', '08-01'],
      ],
      'valid',
    ],
    [
      'is a bounce after a person lifted the opt-out',
      [
        ['unsubscribed', 'email:g', '07-01', NEW],
        ['valid', 'user/correction', '08-01'],
        ['bounced', 'email:g', '09-01', NEW],
      ],
      'bounced',
    ],
    [
      'has ended if somebody ends it without an address',
      [
        ['valid', 'email:g', '07-01', NEW],
        [null, 'user/correction', '08-01'],
      ],
      null,
    ],
  ];
  it.each(cases)('%s', (_title, lines, expected) => {
    expect(statusOf(link(moved, lines.map(toStatement)))).toEqual(expected);
  });

  it('is lifted for every address by a correction of another opt-out', () => {
    const log = [
      toStatement(['unsubscribed', 'email:g', '03-01', OLD]),
      toStatement(['unsubscribed', 'email:g', '07-01', NEW]),
      lifting('email_status', day('08-01'), 'lift'),
    ];
    expect(statusOf(link(moved, log))).toBeNull();
  });

  it('is that of an address that works if no address is stated', () => {
    const log = [toStatement(['valid', 'email:g', '03-01', OLD]), toStatement(['bounced', 'email:g', '08-01', NEW])];
    expect(statusOf(link([], log))).toBe('valid');
  });
});

describe('an address', () => {
  it('is suspect while it counts as bounced, and says why', () => {
    const bounced = toStatement(['bounced', 'email:g', '07-01', NEW]);
    const { email } = link(moved, [bounced]);
    expect(toClaim(rules, 'email', email!, day('07-02'))).toMatchObject({
      value: NEW,
      freshness: 'suspect',
      freshness_reason: 'Mail to this address bounced on 2026-07-01; find another one, or record that it works again.',
    });
    const replied = toStatement(['valid', 'email:g', '08-01', NEW]);
    const { email: works } = link(moved, [bounced, replied]);
    expect(toClaim(rules, 'email', works!, day('08-02'))).toMatchObject({ value: NEW, freshness: 'fresh' });
  });

  it('has its status beside the others', () => {
    const log = [toStatement(['bounced', 'email:g', '03-01', OLD]), toStatement(['valid', 'email:g', '08-01'])];
    expect(Object.fromEntries(listAddressStatuses(link(moved, log)))).toEqual({
      [OLD]: { status: 'bounced', statusAt: day('03-01') },
      [NEW]: { status: 'valid', statusAt: day('08-01') },
    });
  });
});

describe('a log about several addresses', () => {
  it('gives the same statuses in any order of arrival, one by one or at once, also when stored in between', () => {
    const arriving = anyAddressLog.chain(log => fc.record({ arrivals: shuffled(log), again: fc.constant(log) }));
    let late = 0;
    fc.assert(
      fc.property(arriving, ({ arrivals, again }) => {
        let state = emptyState();
        arrivals.forEach((stated, index) => {
          const stored = deserializeState(serializeState(state));
          const next = appendStatement(rules, 'email_status', stored, stated, LATER);
          if (next === 'late') late += 1;
          state = next === 'late' ? foldAll(rules, 'email_status', arrivals.slice(0, index + 1), LATER) : next.state;
          expect(state).toStrictEqual(foldAll(rules, 'email_status', arrivals.slice(0, index + 1), LATER));
        });
        expect(state).toStrictEqual(foldAll(rules, 'email_status', again, LATER));
      }),
    );
    expect(late).toBeGreaterThan(0);
  });

  it('gives each address what its own statements give alone, unless one names no address', () => {
    fc.assert(
      fc.property(anyAddressLog, log => {
        const named = log.filter(({ address }) => address !== undefined);
        const { tracks } = foldAll(rules, 'email_status', named, LATER);
        for (const { key, ...track } of tracks) {
          const own = named.flatMap(({ address, ...each }) => (address === key ? [each] : []));
          const [alone] = foldAll(rules, 'email_status', own, LATER).tracks;
          expect({ ...alone, key }).toStrictEqual({ ...track, key });
        }
      }),
    );
  });
});
