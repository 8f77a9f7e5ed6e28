import { count } from './count.ts';

/** The words about the workspace itself: its profile, how long it keeps data, and new ones. */
export const workspaceWords = {
  profile: 'Profile',
  profileText: 'What agents and the scoring know of your company.',
  name: 'Name of the workspace',
  website: 'Website',
  websiteHint: 'People at its domain are colleagues, never prospects.',
  businessType: 'You sell',
  business: { software: 'software', service: 'services' } as Readonly<Record<string, string>>,
  planModel: 'Customers start with',
  plans: {
    free_plan: 'a free plan',
    free_trial: 'a free trial',
    both: 'a free plan or a trial',
    paid_only: 'a paid plan',
  } as Readonly<Record<string, string>>,
  signupStage: 'Stage of people who sign up',
  notSaid: 'Not said',
  save: 'Save the profile',
  saved: 'Saved.',
  quota: {
    people: 'People',
    observations_per_day: 'Observations per day',
    notes: 'Notes',
    storage_mb: 'Storage in MB',
    api_keys: 'API keys',
    connections: 'Connections',
  } as Readonly<Record<string, string>>,
  retention: 'How long data is kept',
  retentionText: 'What is older is removed every night. Facts and their history stay.',
  kind: {
    raw_payloads: 'Raw payloads of observations',
    notes: 'Notes',
    page_visits: 'Visits of pages',
    deliveries: 'Log of webhook deliveries',
    inbound_events: 'Received webhooks',
  } as Readonly<Record<string, string>>,
  openRetention: 'Show the days',
  days: 'Days',
  forever: 'for ever',
  saveRetention: 'Save',
  retentionSaved: 'Saved. It holds from the next night on.',
  lastRun: (when: string, removed: number) =>
    removed === 0
      ? `The last run, ${when}, found nothing to remove.`
      : `The last run, ${when}, removed ${count(removed, 'row', 'rows')}.`,
  running: (when: string) => `A run began ${when}.`,
  neverRan: 'It has not run yet.',
  createTitle: 'New workspace',
  createText: 'An empty graph of its own, with the plan of this one. You become its owner, and invite others there.',
  createSubmit: 'Create',
};
