import { count } from './count.ts';

const number = new Intl.NumberFormat('en');

/** The words about long work of integrations. They load where it is shown. */
export const runWords = {
  title: 'Long work',
  status: {
    queued: 'waits',
    running: 'is running',
    paused: 'is paused',
    finished: 'is finished',
    failed: 'has failed',
    cancelled: 'was cancelled',
  },
  completed: (n: number) => count(n, 'record', 'records'),
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  retry: 'Try again',
  refused: (n: number) => `${number.format(n)} refused ${n === 1 ? 'record' : 'records'}`,
  report: 'Download the report',
  reportName: (plugin: string) => `${plugin}-report.csv`,
};
