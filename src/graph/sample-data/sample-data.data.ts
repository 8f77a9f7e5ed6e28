import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';

/** An observation of the sample data, in the form of the API. */
export interface SampleObservation {
  readonly kind: 'state' | 'event';
  readonly property: string;
  readonly value: unknown;
  readonly source: string;
  readonly method: string;
  readonly observed_at: string;
  readonly external_id: string;
}

/** An invented person or company, by an identifier. */
export interface SampleEntity {
  readonly focus: string;
  readonly observations: readonly SampleObservation[];
}

/** An invented note. */
export interface SampleNote {
  readonly focus: string;
  readonly title: string;
  readonly content: string;
  readonly date: string;
}

/** Everything that the sample data states, as of a moment. */
export interface SampleContent {
  readonly entities: readonly SampleEntity[];
  readonly notes: readonly SampleNote[];
}

/**
 * Sources of the sample data, in the order of their removal. Their families are trusted as those of real sources. An
 * entity disappears with the last source that states something about it, if that one was there when it was created: so
 * the sources with which each record begins are the last.
 */
export const SAMPLE_SOURCES = ['agent', 'calendar', 'email', 'enrichment', 'csv', 'linkedin', 'crm'].map(
  family => `${family}:sample`,
);
/** Source of the notes and of the lead list. */
export const SAMPLE_AUTHOR = 'agent:sample';
/** Domains of the invented companies. `.example` belongs to nobody. */
export const SAMPLE_DOMAINS: readonly string[] = ['brightloom.example', 'northgate.example', 'heliodata.example'];
/** Name of the sample lead list. */
export const SAMPLE_LIST = 'Sample: autumn outreach';

type Family = 'crm' | 'linkedin' | 'enrichment' | 'email' | 'calendar' | 'csv' | 'agent' | 'guess';
/** What happened or was the case, how many days ago, and which family of sources says so. */
type Statement = readonly [property: string, value: unknown, family: Family, daysAgo: number];

const ORIGINS: Readonly<Record<Family, { readonly source: string; readonly method: string }>> = {
  crm: { source: 'crm:sample', method: 'sync' },
  linkedin: { source: 'linkedin:sample', method: 'profile' },
  enrichment: { source: 'enrichment:sample', method: 'api' },
  email: { source: 'email:sample', method: 'sync' },
  calendar: { source: 'calendar:sample', method: 'sync' },
  csv: { source: 'csv:sample', method: 'import' },
  agent: { source: SAMPLE_AUTHOR, method: 'assert' },
  guess: { source: SAMPLE_AUTHOR, method: 'llm' },
};

/**
 * Returns three invented companies and their people, so that each page has something to show: facts that sources
 * disagree about, facts that are out of date, a change of job, a bounced address, a reply that waits, deals that are
 * open, silent and won, promises that are due, and two records of one person.
 */
export function buildSampleData(now: Instant): SampleContent {
  const day = (daysAhead: number) => toIso(now + daysAhead * DAY_US).slice(0, 10);
  const people: Readonly<Record<string, readonly Statement[]>> = {
    'brightloom.example': [
      ['name', 'Brightloom', 'crm', 420],
      ['industry', 'Software', 'enrichment', 200],
      ['headcount', 240, 'enrichment', 200],
      ['headcount', 310, 'linkedin', 25],
      ['city', 'Berlin', 'crm', 420],
      ['country', 'Germany', 'crm', 420],
      ['technologies', ['Salesforce', 'Gong'], 'enrichment', 150],
      ['funding', 'Series B', 'enrichment', 300],
    ],
    'mara.lindqvist@brightloom.example': [
      ['name', 'Mara Lindqvist', 'crm', 420],
      ['title', 'VP Sales', 'crm', 420],
      ['title', 'VP Sales', 'email', 40],
      ['title', 'Chief Revenue Officer', 'linkedin', 6],
      ['city', 'Berlin', 'linkedin', 300],
      ['phone', '+49 30 901820', 'crm', 420],
      ['stage', 'negotiation', 'crm', 12],
      ['stage_type', 'open', 'crm', 12],
      ['owner', 'Sam', 'crm', 60],
      ['budget', '60,000 EUR', 'agent', 14],
      ['pain', 'Forecasts are off by a third, because the CRM is out of date.', 'agent', 14],
      ['interaction.call_held', { description: 'Discovery call, 40 minutes' }, 'calendar', 14],
      ['interaction.email_sent', { description: 'Sent the proposal' }, 'email', 8],
      ['interaction.email_replied', { description: 'Legal has two questions on data residency' }, 'email', 3],
    ],
    'tomas.okafor@brightloom.example': [
      ['name', 'Tomas Okafor', 'crm', 380],
      ['title', 'Revenue Operations Manager', 'linkedin', 120],
      ['buying_role', 'champion', 'agent', 14],
      ['stage', 'negotiation', 'crm', 12],
      ['action_item.sample', { text: 'Send the security questionnaire', due: day(-1), status: 'open' }, 'agent', 7],
      ['interaction.meeting_held', { description: 'Walked through the integration' }, 'calendar', 7],
      ['interaction.email_sent', { description: 'Summary and next steps' }, 'email', 6],
    ],
    'https://www.linkedin.com/in/tomas-okafor-sample': [
      ['name', 'Tomás Okafor', 'linkedin', 30],
      ['company', 'Brightloom', 'linkedin', 30],
      ['title', 'Revenue Operations Manager', 'linkedin', 30],
      ['email', 'tomas.okafor@brightloom.example', 'guess', 29],
    ],
    'northgate.example': [
      ['name', 'Northgate Freight', 'crm', 300],
      ['industry', 'Logistics', 'enrichment', 90],
      ['headcount', 1200, 'linkedin', 90],
      ['city', 'Rotterdam', 'crm', 300],
      ['country', 'Netherlands', 'crm', 300],
    ],
    'ingrid.bakker@northgate.example': [
      ['name', 'Ingrid Bakker', 'crm', 300],
      ['title', 'Chief Operating Officer', 'linkedin', 100],
      ['stage', 'evaluating', 'crm', 70],
      ['stage_type', 'open', 'crm', 70],
      ['budget', '80,000 EUR', 'agent', 75],
      ['timeline', 'before the end of the quarter', 'agent', 75],
      ['interaction.email_replied', { description: 'Please send the pricing for 120 seats' }, 'email', 48],
      ['interaction.email_sent', { description: 'Pricing for 120 seats' }, 'email', 44],
    ],
    'pieter.devries@northgate.example': [
      ['name', 'Pieter de Vries', 'csv', 240],
      ['title', 'Head of Procurement', 'csv', 240],
      ['interaction.email_sent', { description: 'First message' }, 'email', 10],
      ['interaction.email_bounced', { description: '550 5.1.1 mailbox unknown', code: '5.1.1' }, 'email', 10],
    ],
    'sanne.visser@northgate.example': [
      ['name', 'Sanne Visser', 'crm', 290],
      ['title', 'Head of Operations', 'crm', 290],
      ['company', 'Northgate Freight', 'crm', 290],
      ['phone', '+31 10 5550142', 'crm', 290],
      ['company', 'Heliodata', 'linkedin', 12],
    ],
    'heliodata.example': [
      ['name', 'Heliodata', 'crm', 600],
      ['industry', 'Data and analytics', 'enrichment', 500],
      ['headcount', 60, 'linkedin', 400],
      ['city', 'Lisbon', 'crm', 600],
      ['country', 'Portugal', 'crm', 600],
      ['technologies', ['Snowflake', 'HubSpot'], 'enrichment', 400],
    ],
    'rui.teixeira@heliodata.example': [
      ['name', 'Rui Teixeira', 'crm', 600],
      ['title', 'Chief Technology Officer', 'linkedin', 380],
      ['stage', 'closed_won', 'crm', 130],
      ['stage_type', 'won', 'crm', 130],
      ['interaction.call_held', { description: 'Quarterly review' }, 'calendar', 35],
    ],
    'clara.mendes@heliodata.example': [
      ['name', 'Clara Mendes', 'csv', 500],
      ['title', 'Marketing Manager', 'csv', 500],
      ['do_not_contact', true, 'crm', 90],
    ],
    'owen.walsh@heliodata.example': [
      ['name', 'Owen Walsh', 'crm', 1100],
      ['title', 'Sales Director', 'crm', 1100],
      ['phone', '+351 21 5550187', 'crm', 1100],
      ['callback_at', day(1), 'agent', 20],
    ],
    'priya.nair@heliodata.example': [
      ['name', 'Priya Nair', 'csv', 15],
      ['title', 'Head of Growth', 'csv', 15],
      ['intent', 'Downloaded the buyer guide', 'csv', 15],
    ],
  };
  return {
    entities: Object.entries(people).map(([focus, statements]) => ({
      focus,
      observations: statements.map((statement, index) => toObservation(statement, index, now)),
    })),
    notes: [
      {
        focus: 'mara.lindqvist@brightloom.example',
        title: 'Discovery call',
        content:
          'Mara runs 40 sellers in three countries. Her forecast was off by a third last quarter, because the CRM is out ' +
          'of date.\nShe wants a pilot with ten seats in January. Legal must agree to where the data is kept.',
        date: day(-14),
      },
      {
        focus: 'ingrid.bakker@northgate.example',
        title: 'Pricing',
        content: 'Ingrid compares us with a home-made solution. She needs 120 seats and decides with her CFO.',
        date: day(-48),
      },
    ],
  };
}

function toObservation([property, value, family, daysAgo]: Statement, index: number, now: Instant): SampleObservation {
  return {
    kind: property.startsWith('interaction.') ? 'event' : 'state',
    property,
    value,
    ...ORIGINS[family],
    observed_at: toIso(now - daysAgo * DAY_US),
    external_id: `sample-${index}`,
  };
}
