import { count } from './count.ts';

/** The words of the page about health. */
export const healthWords = {
  well: 'Everything works.',
  problems: (n: number) => count(n, 'thing needs attention.', 'things need attention.'),
  integrations: 'Integrations',
  noIntegrations: 'No integration is connected.',
  triggers: 'Triggers',
  noTriggers: 'No webhook endpoint is set up.',
  name: 'Name',
  state: 'State',
  lastEvent: 'Last event',
  lastSuccess: 'Last delivery',
  problem: 'Problem',
  failingSince: (when: string) => `failing since ${when}`,
  works: 'none',
};
