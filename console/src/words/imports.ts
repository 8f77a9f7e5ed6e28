import { toLabel } from './en.ts';
import { count } from './count.ts';

const number = new Intl.NumberFormat('en');

/** The words of the pages about imports. They load with these pages only. */
export const importWords = {
  text: 'Files as people, leads, companies or notes.',
  missing: 'Imports are not available',
  missingText: 'The operator of this hub has not installed the import, or your plan does not include it.',
  drop: 'Drop a file, or choose one',
  dropText:
    'CSV of LinkedIn, HubSpot, Salesforce, Apollo, Google, Outlook and others, or Excel. You see a preview first.',
  uploading: 'Upload',
  progress: 'Progress',
  sent: (part: number) => `${Math.floor(part * 100)} %`,
  size: (bytes: number) =>
    new Intl.NumberFormat('en', {
      style: 'unit',
      unit: bytes < 1_000_000 ? 'kilobyte' : 'megabyte',
      maximumFractionDigits: 1,
    }).format(bytes / (bytes < 1_000_000 ? 1_000 : 1_000_000)),
  seen: 'What was seen in the file',
  encoding: 'Encoding',
  delimiter: 'Delimiter',
  tab: 'tab',
  header: 'Header',
  rows: 'Rows',
  line: (line: number) => `line ${number.format(line)}`,
  foreseen: (seen: { rows: number; rejected: number; repeated: number; known: number; conflicts: number }) =>
    `${number.format(seen.rows)} previewed: ${number.format(seen.known)} known, ${number.format(seen.repeated)} repeated, ` +
    `${number.format(seen.conflicts)} contradicting, ${number.format(seen.rejected)} rejected`,
  doubtful: (line: number, text: string) => `The encoding is doubtful in line ${line}: ${text}`,
  preamble: (lines: number) => `${count(lines, 'line', 'lines')} before the header were skipped.`,
  rejections: (n: number) => count(n, 'row would be rejected', 'rows would be rejected'),
  columns: 'Columns',
  columnsText: 'What each column states. Nothing is recorded before you import.',
  column: 'Column',
  examples: 'First cells',
  states: 'States',
  why: 'Why',
  leaveOut: 'leave out',
  chosen: 'You chose it.',
  target: 'The rows become',
  targets: { people: 'People', leads: 'Leads in a list', companies: 'Companies', notes: 'Notes' },
  dates: 'Dates such as 03/04/2025',
  chooseOrder: 'Choose the order',
  dayFirst: 'day first',
  monthFirst: 'month first',
  try: 'Dry run',
  start: 'Import',
  runs: 'Runs',
  dryRun: 'Dry run',
  kind: { import: 'Import', undo: 'Undo' } as Readonly<Record<string, string>>,
  status: {
    queued: 'waiting',
    running: 'running',
    waiting: 'waiting',
    pausing: 'pausing',
    paused: 'paused',
    cancelling: 'cancelling',
    cancelled: 'cancelled',
    failed: 'failed',
    finished: 'done',
  } as Readonly<Record<string, string>>,
  result: (result: Readonly<Record<string, unknown>>) =>
    Object.entries(result)
      .filter(([, value]) => typeof value === 'number')
      .map(([name, value]) => `${number.format(Number(value))} ${toLabel(name)}`)
      .join(', '),
  retracted: (observations: number, entities: number) =>
    `${count(observations, 'observation', 'observations')} taken back, ${count(entities, 'account', 'accounts')} removed`,
  gone: 'The file was deleted after 30 days, or cannot be read. Upload it again to import it once more.',
  rejectedFile: 'Rejected rows',
  reportName: (file: string) => `rejected-${file.replace(/\.\w+$/, '')}.csv`,
  cancel: 'Cancel',
  undo: 'Undo the import',
};
