import type { ImportResult, Outcome, RecordSystem } from '../imports/types.ts';
import { count } from './count.ts';
import { toLabel } from './en.ts';

const number = new Intl.NumberFormat('en');
const seconds = new Intl.NumberFormat('en', { style: 'unit', unit: 'second', unitDisplay: 'long' });
const minutes = new Intl.NumberFormat('en', { style: 'unit', unit: 'minute', unitDisplay: 'long' });
const SECONDS_PER_MINUTE = 60;

function formatBytes(bytes: number): string {
  const isSmall = bytes < 1_000_000;
  const unit = isSmall ? 'kilobyte' : 'megabyte';
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(bytes / (isSmall ? 1_000 : 1_000_000));
}

function formatSeconds(left: number): string {
  if (left < SECONDS_PER_MINUTE) return seconds.format(Math.ceil(left));
  return minutes.format(Math.ceil(left / SECONDS_PER_MINUTE));
}

/** What a run of an undo retracts. */
interface Retracted {
  readonly observations: number;
  readonly notes: number;
  readonly leads: number;
  readonly entities_removed: number;
}

const listRetracted = ({ observations, notes, leads }: Retracted): string =>
  [
    count(observations, 'observation', 'observations'),
    ...(notes > 0 ? [count(notes, 'note', 'notes')] : []),
    ...(leads > 0 ? [count(leads, 'lead', 'leads')] : []),
  ].join(', ');

const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  created: 'new',
  adding: 'known, with something new',
  contradicting: 'known, with another value',
  unchanged: 'known, with nothing new',
  repeated: 'repeated in the file',
  rejected: 'rejected',
};

/** The words of the pages about imports. They load with these pages only. */
export const importWords = {
  text: 'Files as people, leads, companies or notes.',
  missing: 'Imports are not available',
  missingText: 'The operator of this hub has not installed the import, or your plan does not include it.',
  drop: 'Drop files or folders, or choose files',
  dropText:
    'CSV of LinkedIn, HubSpot, Salesforce, Apollo, Google, Outlook and others, or Excel. You see a preview first.',
  folder: 'Choose a folder',
  paste: 'Paste rows',
  pasteLabel: 'Rows, with the names of the columns first',
  pasteExample: 'Name\tEmail\nAda Lovelace\tada@acme.com',
  preview: 'Preview',
  uploading: ({ name, number: n, files }: { name: string; number: number; files: number }) =>
    files === 1 ? name : `${name}, ${number.format(n)} of ${number.format(files)}`,
  progress: 'Progress',
  sent: (part: number) => `${Math.floor(part * 100)} %`,
  rate: (done: number, total: number, passedSeconds: number) => {
    const rate = done / Math.max(passedSeconds, 1);
    return `${formatBytes(done)} of ${formatBytes(total)}, ${formatBytes(rate)} per second, about ${formatSeconds((total - done) / rate)} left`;
  },
  size: formatBytes,
  seen: 'What was seen in the file',
  encoding: 'Encoding',
  delimiter: 'Delimiter',
  tab: 'tab',
  sheet: 'Sheet',
  sheetOf: (sheet: string, sheets: readonly string[]) =>
    sheets.length === 1 ? sheet : `${sheet}, one of ${sheets.join(', ')}`,
  otherSheet: 'Import another sheet',
  workbook: 'The workbook again',
  header: 'Header',
  rows: 'Rows',
  line: (line: number) => `line ${number.format(line)}`,
  lineHead: 'Line',
  firstRows: 'First rows of the file',
  unnamed: (column: number) => `Column ${column}`,
  readOtherwise: 'Read it otherwise',
  headerLine: 'Line of the header',
  headerHint: '0 if the file has none',
  fileDate: 'True on',
  fileDateHint: 'For rows without a date of their own',
  readAgain: 'Read it again',
  foreseen: (seen: { rows: number; rejected: number; repeated: number; known: number; conflicts: number }) =>
    `${number.format(seen.rows)} previewed: ${number.format(seen.known)} known, ${number.format(seen.repeated)} repeated, ` +
    `${number.format(seen.conflicts)} contradicting, ${number.format(seen.rejected)} rejected`,
  doubtful: (line: number, text: string) => `The encoding is doubtful in line ${line}: ${text}`,
  preamble: (lines: number) => `${count(lines, 'line', 'lines')} before the header were skipped.`,
  rejections: (n: number) => count(n, 'row would be rejected', 'rows would be rejected'),
  columns: 'Columns',
  columnsText: 'What each column states. Nothing is recorded before you import.',
  columnsSaved:
    'A file with these columns was imported before; they are mapped as the last time. Nothing is recorded yet.',
  column: 'Column',
  examples: 'First cells',
  states: 'States',
  why: 'Why',
  leaveOut: 'leave out',
  newProperty: 'new property…',
  propertyName: (header: string) => `Name of the property: ${header}`,
  propertyHint: 'Lower-case letters, digits and underscores, such as renewal_month',
  identifies: 'identifies',
  chosen: 'You chose it.',
  become: 'What the rows become',
  target: 'The rows become',
  targets: { people: 'People', leads: 'Leads in a list', companies: 'Companies', notes: 'Notes' },
  recordSystem: 'The record IDs are of',
  noSystem: 'no system: they identify nobody',
  recordSystemHint: 'IDs of a system identify people',
  systems: { hubspot: 'HubSpot', pipedrive: 'Pipedrive', apollo: 'Apollo', attio: 'Attio' } as const satisfies Readonly<
    Record<RecordSystem, string>
  >,
  dates: 'Dates such as 03/04/2025',
  chooseOrder: 'Choose the order',
  orders: { day_first: 'day first', month_first: 'month first' },
  decimal: 'Decimal sign',
  decimals: { '.': '1.5', ',': '1,5' },
  try: 'Dry run',
  tryText: 'A dry run reads the whole file and records nothing.',
  start: 'Import',
  runs: 'Runs',
  dryRun: 'Dry run',
  kind: { import: 'Import', undo: 'Undo' } as Readonly<Record<string, string>>,
  status: {
    queued: 'waiting',
    running: 'running',
    paused: 'paused',
    cancelled: 'cancelled',
    failed: 'failed',
    finished: 'done',
  } as Readonly<Record<string, string>>,
  step: { pause: 'Pause', resume: 'Resume', cancel: 'Cancel', retry: 'Try again' },
  result: (result: ImportResult) =>
    Object.entries(result)
      .filter(([, value]) => typeof value === 'number')
      .map(([name, value]) => `${number.format(Number(value))} ${toLabel(name).toLowerCase()}`)
      .join(', '),
  wouldDo: (rows: number) => `${count(rows, 'row', 'rows')} in the file. Nothing is recorded.`,
  outcome: (outcome: Outcome, rows: number) => `${count(rows, 'row', 'rows')} ${OUTCOME_NAMES[outcome]}`,
  outcomeText: {
    created: 'A person or company is created for each of them.',
    adding: 'They state something that the graph lacks.',
    contradicting:
      'A value of the row is another one than that of the graph. Both are kept, and the claim decides which one holds.',
    unchanged: 'They confirm what is known.',
    repeated: 'An earlier row of the file is about the same person or company.',
    rejected: 'They are not imported. Download them with the reasons, correct them, and upload the file.',
  } as const satisfies Readonly<Record<Outcome, string>>,
  reason: (error: string, rows: number, line: number) =>
    `${error} ${count(rows, 'row', 'rows')}, first in line ${number.format(line)}.`,
  rowHead: ['Line', 'Who', 'In the graph, and in the file'],
  rejectedHead: ['Line', 'Why'],
  firstListed: (rows: number) => `These are the first ${number.format(rows)}.`,
  rowsGone: 'The rows are listed for 7 days. Start another dry run to see them.',
  retracted: (counts: Retracted) =>
    `${listRetracted(counts)} taken back, ${count(counts.entities_removed, 'account', 'accounts')} removed`,
  gone: 'The file was deleted after 30 days, or cannot be read. Upload it again to import it once more.',
  rejectedFile: 'Rejected rows',
  rejectedHint: 'As CSV, with the reason of each row. Correct the cells and upload the file: it is mapped as this one.',
  reportName: (file: string) => `rejected-${file.replace(/\.\w+$/, '')}.csv`,
  undoFirst: 'What would an undo take back?',
  undoWould: (counts: Retracted) =>
    `An undo takes back ${listRetracted(counts)}, and removes at least ${count(counts.entities_removed, 'account', 'accounts')} of which nothing else is known. All claims return to what they were.`,
  undo: 'Undo the import',
  remove: 'Delete the file',
  removeTitle: (name: string) => `Delete ${name}`,
  removeText:
    'The file and this entry are deleted now, not after 30 days. What was imported stays, and can no longer be undone here.',
};
