/** Makes the text that a body is full of. */
type Text = (length: number) => string;

const ROWS = 1_000;
const FIELDS = 20;
/** Of a field in a list of a thousand rows, so that ten megabytes are not exceeded. */
const FIELD_CHARACTERS = 240;

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const fact = (property: string, value: unknown) => ({ kind: 'state', property, value, source: 'agent' });

const person = (i: number) => ({
  email: `person${i}@company${i}.com`,
  linkedin_url: `https://www.linkedin.com/in/person-${i}`,
  name: `Person ${i}`,
});

function wideRow(i: number, text: Text): Record<string, string> {
  const fields = times(FIELDS, field => [`fact_${field}`, text(FIELD_CHARACTERS)] as const);
  return { ...person(i), title: `VP ${i}`, company: `Company ${i}`, ...Object.fromEntries(fields) };
}

const leads = (text: Text) => times(ROWS, i => ({ ...wideRow(i, text), linkedin_url: undefined, name: undefined }));

/**
 * Bodies that are accepted and mean as much work as one call may ask for, by operation. They are here because schemas
 * do not say what a valid item of a list is; what stands in no schema cannot be made from one.
 */
export const FULL_BODIES: Readonly<Record<string, Readonly<Record<string, (text: Text) => unknown>>>> = {
  recordObservations: {
    'a thousand facts': text => ({
      focus: 'ada@acme.com',
      observations: times(ROWS, i => fact(`fact_${i}`, text(2_500))),
    }),
    'a thousand values of one fact': text => ({
      focus: 'bob@acme.com',
      observations: times(ROWS, i => fact('title', `${i} ${text(2_000)}`)),
    }),
    'a hundred of the longest values': text => ({
      focus: 'cyd@acme.com',
      observations: times(100, i => fact(`fact_${i}`, text(15_000))),
    }),
    'a thousand small facts': () => ({
      focus: 'dan@acme.com',
      observations: times(ROWS, i => fact(`small_${i}`, i)),
    }),
  },
  recordFromText: {
    'a text and a thousand quotes': text => ({
      focus: 'ada@acme.com',
      text: text(14_000),
      observations: times(ROWS, i => ({ ...fact(`fact_${i % 200}`, `${i}`), evidence: text(300) })),
    }),
  },
  saveNote: {
    'the longest note': text => ({ focus: 'ada@acme.com', content: `Notes: ${text(199_000)}` }),
    'the longest note that is read': text => ({
      focus: 'ada@acme.com',
      content: `Notes: ${text(14_000)}`,
      extract: true,
    }),
  },
  attachLeadList: {
    'a thousand wide rows': text => ({ name: `List ${text(20)}`, rows: times(ROWS, i => wideRow(i, text)) }),
    'a thousand rows, deduplicated': text => ({ name: `Other ${text(9)}`, dedup: true, rows: times(ROWS, person) }),
  },
  addManyLeads: {
    'a thousand wide rows': text => ({ list: 'Webinar', leads: times(ROWS, i => wideRow(i, text)) }),
  },
  scoreLeads: {
    'a thousand wide leads': text => ({ leads: leads(text), explain: true }),
    'a thousand wide leads, briefly': text => ({ leads: leads(text), explain: false }),
    'a hundred known people': () => ({ identifiers: times(100, i => `person${i}@company${i}.com`) }),
  },
  dedup: {
    'five thousand rows': () => ({ rows: times(5_000, i => ({ ...person(i), name: undefined })) }),
    'all three lists': () => ({
      emails: times(50_000, i => `p${i}@company${i}.com`),
      linkedin_urls: times(50_000, i => `https://www.linkedin.com/in/p-${i}`),
      domains: times(50_000, i => `company${i}.com`),
    }),
  },
};
