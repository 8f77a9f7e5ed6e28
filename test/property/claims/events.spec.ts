import { defaultRules as rules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import {
  eventsImplying,
  propertiesImpliedBy,
  impliedBy,
  toStatements,
  statementsFor,
  statesLifting,
  listTouchedProperties,
} from '#domain/claims/implied-statements.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { computeDigest, type JsonValue, type StoredObservation } from '#domain/observation/observation.js';
import { at } from './claims-logs.js';

function observed(kind: 'event' | 'state', property: string, value: JsonValue, date = '2026-11-01'): StoredObservation {
  const output = { property, value, source: 'email:gmail', method: 'sync', observedAt: at(date) };
  return {
    id: `${property}@${date}`,
    kind,
    ...output,
    recordedAt: at(date),
    externalId: null,
    digest: computeDigest(output),
  };
}

const event = (type: string, value: JsonValue = {}) => ({
  kind: 'event' as const,
  property: `interaction.${type}`,
  value,
  source: 'email:gmail',
  method: 'sync',
});

describe('what events state', () => {
  it.each([
    ['email_bounced', ['email_status=bounced']],
    ['email_replied', ['email_status=valid']],
    ['email_reply', ['email_status=valid']],
    ['email_received', ['email_status=valid']],
    ['email_clicked', ['email_status=valid']],
    ['unsubscribed', ['do_not_contact=true', 'email_status=unsubscribed']],
    ['email_opened', []],
    ['linkedin_replied', []],
    ['meeting_held', []],
    ['constructor', []],
  ])('%s: %j', (type, stated) => {
    expect(impliedBy(event(type)).map(each => `${each.property}=${String(each.value)}`)).toEqual(stated);
    expect(listTouchedProperties([event(type)])).toEqual(stated.map(each => each.split('=')[0]));
    expect(propertiesImpliedBy(`interaction.${type}`)).toEqual(stated.map(each => each.split('=')[0]));
  });

  it.each<[JsonValue, boolean]>([
    [{ bounce_type: 'soft' }, false],
    [{ type: 'Soft bounce' }, false],
    [{ bounceType: 'Transient' }, false],
    [{ code: '4.2.2' }, false],
    [{ code: 450 }, false],
    [{ status: '451 4.7.1 greylisted' }, false],
    [{ code: '5.1.1' }, true],
    [{ code: '5.4.1' }, true],
    [{ code: 550 }, true],
    [{ code: '44444' }, true],
    [{ type: 'hard', code: '4.4.7' }, true],
    [{ type: 'hard' }, true],
    [{}, true],
    [null, true],
    ['mailbox full', false],
    ['no such user here', true],
    ['550 5.1.1 user unknown', true],
    ['452 4.2.2 over quota', false],
    [{ code: '5.1.10' }, true],
    [{ code: '5.2.1' }, true],
    [{ code: '5.1.8' }, false],
    [{ code: '5.2.2' }, false],
    [{ code: 552 }, false],
    [{ code: 554 }, false],
    [{ code: '5.7.1' }, false],
    [{ code: '550 5.7.1 rejected by policy' }, false],
    [{ type: 'hard', code: '5.7.1' }, false],
    [{ type: 'hard', reason: 'smtp; 550 5.1.1 unknown' }, true],
    [{ code: 550, reason: 'Message blocked by our spam filter' }, false],
    [{ code: 550, message: 'Mailbox is full' }, false],
    [{ code: 550, message: 'The account does not exist' }, true],
  ])('a bounce with %j says that the address is dead: %s', (value, isHard) => {
    expect(impliedBy(event('email_bounced', value))).toHaveLength(isHard ? 1 : 0);
    expect(listTouchedProperties([event('email_bounced', value)])).toEqual(isHard ? ['email_status'] : []);
  });

  it('names the events that a fold from the log must read', () => {
    const replies = ['email_received', 'email_replied', 'email_reply'];
    const all = ['email_bounced', 'email_clicked', ...replies, 'unsubscribed'].map(type => `interaction.${type}`);
    expect(eventsImplying('email_status').toSorted()).toEqual(all.toSorted());
    expect(eventsImplying('do_not_contact')).toEqual(['interaction.unsubscribed']);
    expect(eventsImplying('title')).toEqual([]);
  });

  it.each<[string, JsonValue, string, string, string[]]>([
    ['do_not_contact', false, 'user', 'correction', ['do_not_contact', 'email_status', 'unsubscribed']],
    ['do_not_contact', null, 'person:7', 'correction', ['do_not_contact', 'email_status', 'unsubscribed']],
    ['unsubscribed', false, 'user', 'correction', ['email_status', 'unsubscribed']],
    ['do_not_contact', true, 'user', 'correction', ['do_not_contact']],
    ['do_not_contact', false, 'user', 'manual', ['do_not_contact']],
    ['do_not_contact', false, 'agent', 'correction', ['do_not_contact']],
    ['title', null, 'user', 'correction', ['title']],
  ])('a state %s=%j of %s/%s touches %j', (property, value, source, method, touched) => {
    const stated = { kind: 'state' as const, property, value, source, method };
    expect(listTouchedProperties([stated])).toEqual(touched);
    for (const other of touched) expect([other, ...statesLifting(other)]).toContain(property);
  });

  it('keeps the identity of the event in what it states', () => {
    const left = observed('event', 'interaction.unsubscribed', {});
    const origin = { id: left.id, source: 'email:gmail', method: 'sync', observedAt: left.observedAt, event: true };
    expect(toStatements(left)).toEqual([
      { ...origin, digest: left.digest, property: 'do_not_contact', value: true },
      { ...origin, digest: left.digest, property: 'email_status', value: 'unsubscribed' },
    ]);
  });

  it('folds events and states of one property together', () => {
    const log = [
      observed('state', 'email_status', 'risky', '2026-01-01'),
      observed('event', 'interaction.email_replied', {}, '2026-02-01'),
      observed('event', 'interaction.email_opened', {}, '2026-03-01'),
      observed('event', 'interaction.email_bounced', { code: '5.1.1' }, '2026-04-01'),
      observed('state', 'title', 'CEO', '2026-05-01'),
    ];
    const now = at('2026-11-20');
    const state = foldAll(rules, 'email_status', statementsFor('email_status', log), now);
    const claim = toClaim(rules, 'email_status', state, now, { history: true });
    expect(claim).toMatchObject({ value: 'bounced', observation_count: 3, epistemic_class: 'observed' });
    expect(claim?.history?.map(period => period.value)).toEqual(['valid', 'risky']);
    expect(claim?.sources[0]?.observation_id).toBe('interaction.email_bounced@2026-04-01');
  });
});

it('touched properties are sorted and each once', () => {
  const origin = { source: 'crm', method: 'sync' };
  const state = (property: string) => ({ kind: 'state' as const, property, value: 1, ...origin });
  expect(listTouchedProperties([state('title'), event('email_opened'), state('company'), state('title')])).toEqual([
    'company',
    'title',
  ]);
});
