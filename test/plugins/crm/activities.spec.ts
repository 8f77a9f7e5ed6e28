import type { Client } from '../../support/hub.js';
import { connectCrm, runSync, setUpCrm } from './crm-client.ts';

const MARCH = '2026-03-01T09:00:00.000Z';

const stage = setUpCrm();
let client: Client;

beforeAll(async () => {
  client = await stage.hub.workspace();
  stage.hubspot.put('contacts', '501', { email: 'ada@act.example', firstname: 'Ada' }, MARCH);
  stage.hubspot.put('contacts', '502', { email: 'bob@act.example', firstname: 'Bob' }, MARCH);
  addActivity('calls', '1', ['501'], {
    hs_call_status: 'COMPLETED',
    hs_call_title: 'Pricing',
    hs_call_duration: '720000',
  });
  addActivity('calls', '2', ['501'], { hs_call_status: 'NO_ANSWER' });
  addActivity('calls', '3', ['501'], { hs_call_status: 'RINGING' });
  addActivity('emails', '4', ['501', '502'], {
    hs_email_direction: 'EMAIL',
    hs_email_status: 'SENT',
    hs_email_subject: 'Offer',
  });
  addActivity('emails', '5', ['501', '502'], {
    hs_email_direction: 'INCOMING_EMAIL',
    hs_email_from_email: 'Bob@act.example',
  });
  addActivity('emails', '6', ['999'], { hs_email_direction: 'EMAIL' });
  addActivity('meetings', '7', ['502'], {
    hs_meeting_outcome: 'COMPLETED',
    hs_meeting_title: 'Demo',
    hs_meeting_start_time: MARCH,
  });
  addActivity('meetings', '8', ['502'], { hs_meeting_title: 'Maybe' });
  await connectCrm(client, stage.hubspot, { objects: ['contacts', 'activities'] });
});

function addActivity(object: string, id: string, contacts: string[], properties: Record<string, string>): void {
  stage.hubspot.put(object, id, { hs_timestamp: MARCH, ...properties }, MARCH);
  stage.hubspot.links.set(id, { contacts, companies: [] });
}

interface Event {
  readonly property: string;
  readonly value: Record<string, unknown>;
  readonly observed_at: string;
  readonly source: string;
  readonly method: string;
}

const listEvents = async (focus: string) => {
  const { body } = await client.get<{ recent_observations: Event[] }>(`/v2/accounts/${focus}`);
  return body.recent_observations.filter(({ property }) => property.startsWith('interaction.'));
};

describe('activities', () => {
  it('of contacts become events of their timelines, once', async () => {
    expect((await runSync(client)).result.counts['activities']).toMatchObject({ read: 8, created: 5, skipped: 3 });
    const ada = await listEvents('ada@act.example');
    expect(ada.map(({ property }) => property).toSorted()).toEqual([
      'interaction.call_held',
      'interaction.call_missed',
      'interaction.email_sent',
    ]);
    expect(ada.find(({ property }) => property === 'interaction.call_held')).toMatchObject({
      value: { description: 'A call took place: Pricing', title: 'Pricing', minutes: 12 },
      source: 'crm:hubspot',
      method: 'backfill',
    });
    const again = await runSync(client, { mode: 'full' });
    expect(again.result.counts['activities']).toMatchObject({ read: 8, created: 0, unchanged: 5 });
  });

  it('that came in by e-mail are those of the sender, and a meeting without an outcome is none', async () => {
    const bob = await listEvents('bob@act.example');
    expect(bob.map(({ property }) => property).toSorted()).toEqual([
      'interaction.email_replied',
      'interaction.email_sent',
      'interaction.meeting_held',
    ]);
  });

  it('that come later are no backfill, and follow what becomes of a meeting', async () => {
    stage.hubspot.put('meetings', '8', { hs_meeting_outcome: 'CANCELED' }, new Date().toISOString());
    expect((await runSync(client)).result.counts['activities']).toMatchObject({ read: 1, created: 1 });
    const [cancelled] = await listEvents('bob@act.example');
    expect(cancelled).toMatchObject({ property: 'interaction.meeting_cancelled', method: 'plugin' });
  });
});
