/** A workspace's model of its ideal customer: rules of every kind, as a team writes them. */
export const icpModel = {
  fit: [
    { property: 'title', op: 'contains_any', value: ['sales', 'revenue', 'growth'], weight: 3 },
    { property: 'seniority', op: 'in', value: ['founder', 'c_level', 'vp', 'head'], weight: 2 },
    { property: 'industry', op: 'in', value: ['Software', 'Fintech', 'Logistics'], weight: 2 },
    { property: 'headcount', op: 'between', value: [50, 1000], slack: 500, weight: 2 },
    { property: 'location', op: 'contains_any', value: ['Germany', 'France', 'Sweden'], weight: 1 },
    { property: 'technologies', op: 'contains_any', value: ['hubspot', 'salesforce'], weight: 2 },
    { id: 'student', property: 'title', op: 'matches', value: '\\b(?:student|intern)\\b', disqualify: true },
    { property: 'funding', op: 'exists', weight: 1 },
  ],
  pain: [
    { match: { keyword: ['outbound', 'pipeline', 'forecast'] }, p: 0.6 },
    { match: { property: 'pain_points' }, p: 0.5 },
    { match: { technology: ['excel'] }, p: 0.4 },
  ],
};

const titles = ['VP Sales', 'Head of Growth', 'Sales Manager', 'CTO', 'Chief Revenue Officer', 'Account Executive'];
const industries = ['Software', 'Fintech', 'Logistics', 'Retail', 'Agriculture'];
const places = ['Berlin, Germany', 'Lyon, France', 'Leeds, United Kingdom', 'Austin, United States'];

/** So many leads as a list from outside holds them, about 220 bytes each; no two are the same. */
export function leads(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    ref: `row-${i}`,
    title: `${titles[i % titles.length]!} ${i % 50}`,
    company: `Company ${i}`,
    industry: industries[i % industries.length]!,
    employee_count: (i * 37) % 3000,
    location: places[i % places.length]!,
    keywords: ['outbound', `topic ${i % 90}`, 'b2b'],
    headline: `Builds teams that sell, number ${i}`,
  }));
}
