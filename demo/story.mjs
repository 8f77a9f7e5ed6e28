const day = 86_400_000;

/**
 * What could happen to a person of the file afterwards. Invented, and said so: the file has one source and no dates,
 * so by itself it shows neither how sources stand against each other nor a timeline.
 * @param {string} name the person's name, as somebody who knows would write it
 * @param {number} now milliseconds since 1970
 */
export function laterEvents(name, now) {
  const at = (days, time) => `${new Date(now - days * day).toISOString().slice(0, 10)}T${time}Z`;
  return [
    {
      kind: 'state',
      property: 'title',
      value: 'Head of Sales',
      source: 'linkedin:demo',
      method: 'profile',
      observed_at: at(420, '08:14:05'),
    },
    {
      kind: 'state',
      property: 'title',
      value: 'VP Sales',
      source: 'crm:demo',
      method: 'sync',
      observed_at: at(60, '15:02:41'),
    },
    {
      kind: 'state',
      property: 'title',
      value: 'VP Sales',
      source: 'form:demo',
      method: 'submit',
      observed_at: at(12, '19:47:13'),
    },
    {
      kind: 'state',
      property: 'intent',
      value: 'evaluating',
      source: 'agent',
      method: 'llm',
      observed_at: at(20, '11:26:58'),
    },
    {
      kind: 'event',
      property: 'interaction.email_sent',
      value: { subject: 'A first hello' },
      source: 'email:demo',
      method: 'sync',
      observed_at: at(9, '09:05:30'),
    },
    {
      kind: 'event',
      property: 'interaction.email_replied',
      value: { description: 'Asks for the price list' },
      source: 'email:demo',
      method: 'sync',
      observed_at: at(8, '13:31:22'),
    },
    { kind: 'state', property: 'city', value: 'Reading', source: 'crm:demo', method: 'sync' },
    { kind: 'state', property: 'name', value: name, source: 'user', method: 'correction' },
  ];
}
