import type { CrmField, EntityObject } from '../adapters/adapter.js';

type Names = Readonly<Record<string, readonly string[]>>;

const OF_BOTH: Names = {
  city: ['town'],
  country: ['country region'],
  description: ['about'],
  linkedin_url: ['linkedin', 'linkedin profile', 'linkedin page', 'linkedin company page'],
  location: [],
  phone: ['phone number', 'telephone'],
};
/**
 * Names that CRMs give to what a property says, beside its own name. What may stop or start outreach is not among them: a
 * person maps "do not call".
 */
const NAMES: Readonly<Record<EntityObject, Names>> = {
  contacts: {
    ...OF_BOTH,
    budget: [],
    buying_role: ['role in purchase', 'decision role'],
    company: ['company name', 'organization'],
    department: ['job function'],
    headline: [],
    next_step: [],
    pain: ['pain point'],
    seniority: ['job seniority', 'job level', 'seniority level', 'management level'],
    timeline: ['time frame', 'buying time frame', 'purchase time frame'],
    title: ['job title', 'position'],
  },
  companies: {
    ...OF_BOTH,
    funding: ['total funding', 'last funding', 'latest funding'],
    headcount: ['employees', 'number of employees', 'employee count', 'company size'],
    industry: ['sector'],
    revenue: ['annual revenue', 'yearly revenue'],
    technologies: ['tech stack', 'web technologies'],
  },
};

/**
 * Returns the property that a field states by its name or label; null if none does, or another field has it already.
 * @param taken properties that fields have
 */
export function proposeProperty(
  object: EntityObject,
  { name, label }: Pick<CrmField, 'name' | 'label'>,
  taken: ReadonlySet<string>,
): string | null {
  const own = new Set([toWords(name), toWords(label)]);
  for (const [property, names] of Object.entries(NAMES[object])) {
    if (!taken.has(property) && [toWords(property), ...names].some(each => own.has(each))) return property;
  }
  return null;
}

/** Writes a name in words: "hs_time_frame" and "Time frame" are the same. */
function toWords(name: string): string {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter(word => word !== '' && word !== 'hs')
    .join(' ');
}
