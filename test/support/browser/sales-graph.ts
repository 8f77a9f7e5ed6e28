import type { Client } from '../hub.js';

const DAY_MS = 86_400_000;

/** A statement about a person or company, some days ago. */
function said(property: string, value: unknown, origin: string, daysAgo: number) {
  const [source, method = 'api'] = origin.split('/');
  const observed_at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  return { kind: 'state', property, value, source, method, observed_at };
}

function happened(type: string, description: string, source: string, daysAgo: number) {
  const observed_at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  return { kind: 'event', property: `interaction.${type}`, value: { description }, source, observed_at };
}

/** The person whose account the stories open. */
export const ANNA = 'anna.keller@coralline.example';

/**
 * Fills a workspace with a person about whom sources disagree, somebody who may be the same person, her company, people of
 * another one, and a lead list.
 */
export async function fillSalesGraph(client: Client): Promise<void> {
  await client.post('/v2/observations', {
    focus: ANNA,
    observations: [
      said('name', 'Anna Keller', 'crm:hubspot/sync', 1100),
      said('title', 'Account Executive', 'crm:hubspot/sync', 1100),
      said('title', 'Sales Manager', 'linkedin/profile', 700),
      said('title', 'VP Sales', 'linkedin/profile', 120),
      said('title', 'Head of Sales', 'call:gong/llm', 21),
      said('title', 'VP Sales', 'agent', 9),
      said('city', 'Berlin', 'linkedin/profile', 700),
      said('city', 'Munich', 'agent/llm', 60),
      said('department', 'Sales', 'linkedin/profile', 420),
      said('assistant', 'Mira Tamm', 'crm:hubspot/sync', 500),
      said('assistant', null, 'agent', 69),
      said('stage', 'negotiation', 'crm:hubspot/sync', 12),
      said('technologies', ['Salesforce', 'Gong'], 'agent', 30),
      happened('email_replied', 'Legal has two questions on data residency', 'gmail', 2),
      happened('call_held', 'Wants a pilot for 10 seats', 'call:gong', 21),
    ],
  });
  await client.post('/v2/observations', {
    focus: 'coralline.example',
    observations: [
      said('name', 'Coralline', 'crm:hubspot/sync', 400),
      said('industry', 'Logistics', 'enrichment:apollo', 300),
      said('headcount', 420, 'linkedin/profile', 90),
    ],
  });
  await client.post('/v2/notes', {
    focus: ANNA,
    title: 'Discovery call',
    content: 'Anna runs a team of 40 sellers.\nShe wants a pilot in January.',
  });
  await client.post('/v2/observations', {
    focus: 'https://www.linkedin.com/in/anna-k-munich',
    observations: [
      said('name', 'Anna K.', 'linkedin/profile', 3),
      said('title', 'Chief Revenue Officer', 'linkedin/profile', 3),
      said('email', ANNA, 'agent/llm', 2),
    ],
  });
  const titles = ['VP Sales', 'Sales Operations Lead', 'CRO', 'Account Executive'];
  for (let index = 0; index < 30; index++) {
    await client.post('/v2/observations', {
      focus: `person${index}@quillpay.example`,
      observations: [
        said('name', `Person ${String(index).padStart(2, '0')}`, 'crm:hubspot/sync', index * 9),
        said('title', titles[index % titles.length], 'linkedin/profile', index * 20),
      ],
    });
  }
  await client.post('/v2/lead-lists/attach', {
    name: 'Autumn',
    rows: [{ email: ANNA }, { email: 'person0@quillpay.example' }],
  });
  await client.post('/v2/score', { identifier: ANNA });
}
