const day = 86_400_000;

/**
 * What could happen to a person of the file afterwards. Invented, and said so: the file has one source and no dates,
 * so by itself it shows neither how sources stand against each other nor a timeline.
 * @param {string} name the person's name, as somebody who knows would write it
 * @param {number} now milliseconds since 1970
 */
export function laterEvents(name, now) {
  const at = days => new Date(now - days * day).toISOString();
  return [
    {
      kind: 'state',
      property: 'title',
      value: 'Head of Sales',
      source: 'linkedin:demo',
      method: 'profile',
      observed_at: at(420),
    },
    { kind: 'state', property: 'title', value: 'VP Sales', source: 'crm:demo', method: 'sync', observed_at: at(60) },
    { kind: 'state', property: 'title', value: 'VP Sales', source: 'form:demo', method: 'submit', observed_at: at(12) },
    { kind: 'state', property: 'intent', value: 'evaluating', source: 'agent', method: 'llm', observed_at: at(20) },
    {
      kind: 'event',
      property: 'interaction.email_sent',
      value: { subject: 'A first hello' },
      source: 'email:demo',
      method: 'sync',
      observed_at: at(9),
    },
    {
      kind: 'event',
      property: 'interaction.email_replied',
      value: { description: 'Asks for the price list' },
      source: 'email:demo',
      method: 'sync',
      observed_at: at(8),
    },
    { kind: 'state', property: 'city', value: 'Reading', source: 'crm:demo', method: 'sync' },
    { kind: 'state', property: 'name', value: name, source: 'user', method: 'correction' },
  ];
}
