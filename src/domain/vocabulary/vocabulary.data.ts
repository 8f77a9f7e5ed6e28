/** A property that the service interprets. Any other name may be recorded as well; it is kept, shown and searched. */
export interface PropertyDescription {
  /** Type of the value, in words. */
  readonly type: string;
  readonly description: string;
  /** Types of the entities that it is stated about. Default: people. */
  readonly on?: readonly ('person' | 'company')[];
}

const COMPANY = ['company'] as const;
const BOTH = ['person', 'company'] as const;

/** State properties by canonical name. */
export const PROPERTY_DESCRIPTIONS: Readonly<Record<string, PropertyDescription>> = {
  name: { type: 'text', description: 'Full name of a person, or name of a company.', on: BOTH },
  first_name: { type: 'text', description: 'First name, if it is known apart.' },
  last_name: { type: 'text', description: 'Last name, if it is known apart.' },
  title: { type: 'text', description: 'Job title.' },
  seniority: { type: 'text', description: 'Level, such as vp; derived from the title if absent.' },
  department: { type: 'text', description: 'Department, such as Sales.' },
  company: { type: 'text', description: 'Name of the employer.' },
  email: { type: 'e-mail address', description: 'Address to write to.' },
  email_status: {
    type: 'valid, risky, invalid, bounced or unsubscribed',
    description: 'Whether the current address can be reached; also set by replies and hard bounces.',
  },
  phone: { type: 'phone number', description: 'Number to call, best with its country code.' },
  phones: { type: 'list of phone numbers', description: 'All known numbers.' },
  do_not_contact: {
    type: 'true or false',
    description: 'Whether nobody may contact the person; true suppresses every play.',
  },
  unsubscribed: {
    type: 'true or false',
    description: 'Whether the person unsubscribed; true suppresses every play.',
  },
  linkedin_url: { type: 'URL', description: 'LinkedIn profile.', on: BOTH },
  domain: { type: 'domain', description: 'Domain of the company.', on: COMPANY },
  stage: {
    type: 'text',
    description: 'Stage of the deal, such as evaluating or closed_won.',
    on: BOTH,
  },
  stage_type: {
    type: 'open, won or lost',
    description: 'Whether the deal is open, as the CRM says; decides over the words of the stage.',
    on: BOTH,
  },
  callback_at: {
    type: 'date',
    description: 'When to get in touch again; attention shows it when it is due.',
    on: BOTH,
  },
  owner: { type: 'text', description: 'Colleague who is responsible.', on: BOTH },
  buying_role: { type: 'text', description: 'Role in the purchase, such as champion or blocker.' },
  budget: { type: 'money or text', description: 'Budget that was stated.', on: BOTH },
  timeline: { type: 'date or text', description: 'When they want to decide or start.', on: BOTH },
  intent: { type: 'text or number', description: 'Interest in buying that was stated.', on: BOTH },
  pain: { type: 'text', description: 'Problem that was stated.', on: BOTH },
  pain_points: { type: 'list of texts', description: 'Problems that were stated.', on: BOTH },
  competitors: { type: 'list of texts', description: 'Alternatives that they use or consider.', on: BOTH },
  technologies: { type: 'list of texts', description: 'Products that the company uses.', on: COMPANY },
  industry: { type: 'text', description: 'Industry of the company.', on: COMPANY },
  headcount: { type: 'number or range', description: 'Number of employees.', on: COMPANY },
  revenue: { type: 'money or range', description: 'Yearly revenue.', on: COMPANY },
  funding: { type: 'text or money', description: 'Latest funding round.', on: COMPANY },
  location: { type: 'text', description: 'City or region.', on: BOTH },
  city: { type: 'text', description: 'City.', on: BOTH },
  country: { type: 'country', description: 'Country, by name or ISO code.', on: BOTH },
  keywords: { type: 'list of texts', description: 'Words in which pains of the scoring model are searched.', on: BOTH },
  description: { type: 'text', description: 'Description in which pains of the model are searched.', on: BOTH },
  headline: { type: 'text', description: 'Headline of a profile.' },
  lead_score: { type: 'number', description: 'Score that another system gave.' },
  next_step: { type: 'text', description: 'Next step that was agreed.', on: BOTH },
  'action_item.<id>': {
    type: 'text, or an object with text, due and status',
    description: 'Commitment with an identifier of its own; due makes it appear in attention until status is done.',
    on: BOTH,
  },
};

/** Types of interactions by canonical name, without the prefix `interaction.`. */
export const EVENT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  email_sent: 'An e-mail was sent to them.',
  email_opened: 'They opened an e-mail.',
  email_clicked: 'They clicked a link in an e-mail.',
  email_replied: 'They answered an e-mail. Confirms the address.',
  email_bounced: 'An e-mail came back. A hard bounce sets email_status.',
  unsubscribed: 'They unsubscribed. Sets do_not_contact.',
  out_of_office: 'They are away, until return_date if given.',
  call_held: 'A call took place.',
  call_missed: 'A call was not answered.',
  meeting_scheduled: 'A meeting was booked.',
  meeting_cancelled: 'A meeting was cancelled.',
  meeting_held: 'A meeting took place.',
  linkedin_connect_sent: 'A LinkedIn invitation was sent to them.',
  connection_accepted: 'They accepted a LinkedIn invitation.',
  linkedin_message_sent: 'A LinkedIn message was sent to them.',
  linkedin_replied: 'They answered on LinkedIn.',
  page_visited: 'They visited a page.',
  form_submitted: 'They submitted a form.',
  product_used: 'They used the product.',
  note: 'Somebody wrote a note.',
};
