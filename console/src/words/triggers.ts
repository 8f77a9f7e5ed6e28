import { count } from './count.ts';

/** The words of the pages about triggers. They load with these pages only. */
export const triggerWords = {
  text: 'Webhooks that the hub sends when something happens.',
  none: 'No webhooks yet',
  noneText: 'Send replies, meetings and failed syncs to your own program or to a Slack channel.',
  create: 'Add an endpoint',
  url: 'Address',
  urlHint: 'An HTTPS address that the internet can reach.',
  name: 'Name (empty: the host)',
  events: 'Events',
  format: 'Format',
  standard: 'JSON, signed (Standard Webhooks)',
  secretOnce: 'Copy the signing secret now: it is shown only once.',
  secretText: 'With it your program checks that a request comes from this hub.',
  nothingYet: 'nothing delivered yet',
  lastSuccess: (when: string) => `delivered ${when}`,
  state: { active: 'active', paused: 'paused', disabled: 'disabled', locked: 'locked' },
  deliveryState: { waiting: 'waiting', delivered: 'delivered', failed: 'failed' },
  deliveries: 'Deliveries',
  delivery: 'Delivery',
  openDelivery: 'Open it alone',
  allDeliveries: 'All deliveries of this endpoint',
  noDeliveries: 'Nothing delivered yet',
  noDeliveriesText: 'Deliveries appear here as soon as one of its events happens. Send a test to try the address.',
  attempts: (n: number) => count(n, 'attempt', 'attempts'),
  test: 'Send a test',
  testDelivered: 'The test was delivered',
  testFailed: 'The test was not delivered; see the log',
  pause: 'Pause',
  resume: 'Resume',
  rotate: 'Change the secret',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: (name: string) =>
    `Nothing is sent to it any more, and its log goes too. This cannot be undone. Type “${name}” to delete it.`,
  retry: 'Send again',
  summary: (delivered: number, failed: number, waiting: number, longestMs: number) =>
    [
      `${delivered} delivered`,
      failed > 0 && `${failed} failed`,
      waiting > 0 && `${waiting} waiting`,
      `the longest took ${Math.round(longestMs)} ms`,
    ]
      .filter(Boolean)
      .join(', '),
  bar: (at: string, state: string, ms: number) => `${at}: ${state}, ${Math.round(ms)} ms`,
  recover: 'Send failed ones again',
  since: 'Failed since',
  sinceHint: 'At most 30 days ago.',
  recoverSubmit: 'Send again',
  recovered: (n: number) =>
    n === 0 ? 'Nothing failed since then.' : `${count(n, 'delivery is', 'deliveries are')} sent again.`,
};
