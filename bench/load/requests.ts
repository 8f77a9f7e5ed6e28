import { noteText, questionText } from './notes-load.ts';

/** Numbered people of the benchmark's workspace: the first, and how many. Calls go through them in turn. */
export interface People {
  readonly from: number;
  readonly count: number;
}

/** What is asked of a server over HTTP, again and again. */
export type Workload =
  /** Three observations (two states, one event) about people in turn. */
  | { readonly name: 'record'; readonly people: People }
  /** The same about one person only. */
  | { readonly name: 'record-hot'; readonly focus: string }
  /** A name, and `titles` statements of a title. */
  | { readonly name: 'introduce'; readonly people: People; readonly titles: number }
  /** One statement of a title. */
  | { readonly name: 'title'; readonly people: People }
  /** `rows` observations about people in turn. */
  | { readonly name: 'bulk'; readonly people: People; readonly rows: number }
  /** Rows about these people, into a list of its own each time. */
  | { readonly name: 'attach'; readonly emails: readonly string[] }
  /** A note on a contact in turn, long or short. */
  | { readonly name: 'note'; readonly kind: 'long' | 'short' }
  /** A search over notes, by fifty questions in turn. */
  | { readonly name: 'notes-search' }
  | { readonly name: 'get'; readonly path: string }
  | {
      readonly name: 'post';
      readonly path: string;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** One request, before it is put into HTTP. */
export interface RequestParts {
  readonly path: string;
  /** JSON; absent for a GET. */
  readonly body?: string;
  /** Besides those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The e-mail address of a person. */
export const personOf = (n: number) => `person-${n}@company-${n % 200}.com`;

/** Where observations are recorded. */
export const RECORD_PATH = '/v2/observations';

/** Gives the n-th request of a workload, n from 0. */
export function requestsOf(workload: Workload): (n: number) => RequestParts {
  switch (workload.name) {
    case 'record':
      return n => recordAbout(pick(workload.people, n), threeObservations(n));
    case 'record-hot':
      return n => recordAbout(workload.focus, threeObservations(n));
    case 'introduce':
      return n => recordAbout(pick(workload.people, n), [nameOf(n), ...titles(0, workload.titles)]);
    case 'title':
      return n => recordAbout(pick(workload.people, n), titles(n % 20, 1));
    case 'bulk':
      return n => recordAbout(pick(workload.people, n), importOf(workload.rows));
    case 'attach':
      return n => attaching(`List ${process.pid} ${n}`, workload.emails);
    case 'note':
      return n => noteOn(personOf(n % NOTED_PEOPLE), noteText(n, workload.kind));
    case 'notes-search':
      return n => ({ path: '/v2/notes/search', body: JSON.stringify({ question: questionText(n) }) });
    default:
      return () => workload;
  }
}

/** Two states and an event, as an agent learns them from a reply. */
export function threeObservations(n: number): object[] {
  return [
    { kind: 'state', property: 'title', value: `VP Sales ${n % 5}` },
    { kind: 'state', property: 'intent', value: n % 3 === 0 ? 'evaluating' : 'interested' },
    { kind: 'event', property: 'interaction.call_held', value: { description: `Asked for the price list, call ${n}` } },
  ];
}

/** A thousand rows and the like, as an import brings them: two states and an event in turn. */
export function importOf(rows: number): object[] {
  return Array.from({ length: rows }, (_, i) =>
    i % 3 === 2
      ? {
          kind: 'event',
          property: 'interaction.email_sent',
          value: { subject: `Follow-up ${i}`, thread: `t-${i % 50}` },
        }
      : { kind: 'state', property: `field_${i % 30}`, value: `value ${i % 90}`, source: 'crm', method: 'import' },
  );
}

const sources = ['agent', 'crm', 'linkedin', 'email', 'enrichment'];

function titles(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i;
    return { kind: 'state', property: 'title', value: `Head of ${Math.floor(n / 10) % 7}`, source: sources[n % 5] };
  });
}

function nameOf(n: number): object {
  return { kind: 'state', property: 'name', value: `Person Number ${n}` };
}

/** Far from the person before, so that no side profits from neighbours in an index; a prime, so that nobody is left out. */
const STRIDE = 7919;

function pick({ from, count }: People, n: number): string {
  return personOf(from + ((n * STRIDE) % count));
}

function attaching(name: string, emails: readonly string[]): RequestParts {
  return { path: '/v2/lead-lists/attach', body: JSON.stringify({ name, rows: emails.map(email => ({ email })) }) };
}

/** Contacts that notes are kept on. */
const NOTED_PEOPLE = 100;

function noteOn(focus: string, content: string): RequestParts {
  return { path: '/v2/notes', body: JSON.stringify({ focus, content }) };
}

function recordAbout(focus: string, observations: readonly object[]): RequestParts {
  return { path: RECORD_PATH, body: JSON.stringify({ focus, observations }) };
}
