import fc from 'fast-check';
import {
  EVENT_ALIASES,
  PROPERTY_ALIASES,
  aliasesOf,
  canonicalEmailStatus,
  canonicalEvent,
  canonicalProperty,
  listEventNames,
  stageGroup,
} from '#domain/properties/registry.js';

const names = fc.oneof(
  fc.constantFrom(...Object.entries(PROPERTY_ALIASES).flatMap(([name, all]) => [name, ...all])),
  fc.constantFrom(...Object.entries(EVENT_ALIASES).flatMap(([name, all]) => [name, ...all])),
  fc.constantFrom('constructor', '__proto__', 'city', 'country', 'region', 'first_name', 'last_name'),
  fc.stringMatching(/^[a-z][a-z0-9_.-]{0,20}$/),
);

describe('names', () => {
  it('have one canonical form, and that is its own', () => {
    fc.assert(
      fc.property(names, name => {
        const canonical = canonicalProperty(name);
        expect(canonicalProperty(canonical)).toBe(canonical);
        expect(canonical === name || aliasesOf(canonical).includes(name)).toBe(true);
        const event = canonicalEvent(`interaction.${name}`);
        expect(canonicalEvent(event)).toBe(event);
        expect(listEventNames(event)).toContain(`interaction.${name}`);
      }),
    );
  });

  it.each([
    ['job_title', 'title'],
    ['pipeline_stage', 'stage'],
    ['deal_stage', 'stage'],
    ['employee_count', 'headcount'],
    ['company_size', 'headcount'],
    ['tech_stack', 'technologies'],
    ['reachability_status', 'email_status'],
    ['city', 'city'],
    ['signal.stack', 'signal.stack'],
  ])('%s is %s', (name, canonical) => expect(canonicalProperty(name)).toBe(canonical));

  it.each([
    ['email_received', 'email_replied'],
    ['email_reply', 'email_replied'],
    ['linkedin_connected', 'connection_accepted'],
    ['linkedin_connection_accepted', 'connection_accepted'],
    ['linkedin_message_received', 'linkedin_replied'],
    ['pricing_page_visit', 'page_visited'],
    ['deal_won', 'deal_won'],
  ])('an event %s counts as %s', (type, counts) =>
    expect(canonicalEvent(`interaction.${type}`)).toBe(`interaction.${counts}`),
  );

  it('a LinkedIn message counts as what its details say', () => {
    const counts = (value?: unknown) => canonicalEvent('interaction.linkedin_message', value);
    expect(counts({ direction: 'inbound' })).toBe('interaction.linkedin_replied');
    for (const value of [undefined, null, 'inbound', {}, { direction: 'outbound' }]) {
      expect(counts(value)).toBe('interaction.linkedin_message_sent');
    }
    expect(canonicalEvent('interaction.call_held', { direction: 'inbound' })).toBe('interaction.call_held');
  });

  it('an event is distinguished from a state by its namespace', () => {
    expect(canonicalEvent('email_received')).toBe('email_received');
    expect(canonicalProperty('interaction.job_title')).toBe('interaction.job_title');
  });
});

describe('words', () => {
  it.each([
    ['DELIVERABLE', 'valid'],
    ['RISKY', 'risky'],
    ['UNAVAILABLE', 'invalid'],
    ['bounced', 'bounced'],
    ['Catch-all', 'Catch-all'],
  ])('%s is the e-mail status %s', (word, ours) => expect(canonicalEmailStatus(word)).toBe(ours));

  it.each([
    ['aware', 'prospecting'],
    ['Meeting Booked', 'qualification'],
    ['demo', 'proposal'],
    ['negotiation', 'negotiation'],
    ['closed-won', 'customer'],
    ['Churned', 'closed'],
    ['Free User', undefined],
    ['constructor', undefined],
  ])('the stage %s stands in %s', (word, group) => expect(stageGroup(word)).toBe(group));
});
