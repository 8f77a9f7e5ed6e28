/** Words for industries, with the values that claims may use for them. */
export const INDUSTRIES: Readonly<Record<string, readonly string[]>> = {
  software: ['software', 'saas', 'information technology', 'internet', 'it services'],
  fintech: ['fintech', 'financial technology', 'payments'],
  'financial services': ['financial services', 'banking', 'bank', 'insurance', 'finance', 'asset management'],
  healthcare: ['healthcare', 'health care', 'hospital', 'medical', 'health'],
  pharma: ['pharma', 'pharmaceutical', 'biotech', 'biotechnology', 'life sciences'],
  'e-commerce': ['e-commerce', 'ecommerce', 'online retail', 'online shop'],
  retail: ['retail', 'consumer goods', 'fashion'],
  manufacturing: ['manufacturing', 'industrial', 'machinery', 'mechanical engineering', 'factory'],
  logistics: ['logistics', 'transportation', 'supply chain', 'freight', 'shipping'],
  education: ['education', 'edtech', 'e-learning', 'universit', 'school'],
  marketing: ['marketing agenc', 'advertising', 'marketing services', 'agenc'],
  consulting: ['consulting', 'consultanc', 'professional services'],
  'real estate': ['real estate', 'property management', 'proptech'],
  construction: ['construction', 'building materials'],
  energy: ['energy', 'utilities', 'renewable', 'oil and gas', 'solar'],
  media: ['media', 'publishing', 'entertainment', 'gaming'],
  hospitality: ['hospitality', 'hotel', 'restaurant', 'travel', 'tourism'],
  legal: ['legal', 'law firm'],
  government: ['government', 'public sector', 'nonprofit', 'non-profit'],
  telecommunications: ['telecom'],
  automotive: ['automotive', 'car maker'],
  agriculture: ['agriculture', 'farming', 'agtech'],
};

/** Departments, with the words of titles that indicate them. */
export const DEPARTMENTS: Readonly<Record<string, readonly string[]>> = {
  sales: ['sales', 'revenue', 'business development', 'cro', 'account executive'],
  marketing: ['marketing', 'growth', 'demand generation', 'cmo', 'brand'],
  finance: ['finance', 'financial', 'accounting', 'cfo', 'controller'],
  engineering: ['engineering', 'technology', 'cto', 'developer', 'technical'],
  operations: ['operations', 'coo', 'ops'],
  product: ['product', 'cpo'],
  people: ['people', 'human resources', 'hr', 'chro', 'talent', 'recruiting'],
  support: ['customer success', 'support', 'customer service'],
  it: ['it', 'information technology', 'cio', 'security', 'ciso'],
  data: ['data', 'analytics'],
  legal: ['legal', 'counsel', 'compliance'],
  procurement: ['procurement', 'purchasing', 'sourcing'],
};

/** Seniority ranks, as in the property `seniority`. */
export const RANKS: Readonly<Record<string, RegExp>> = {
  founder: /\b(?:co-?)?founders?\b|\bowners?\b/i,
  c_level: /\bc-?level\b|\bexecutives?\b|\bc[emtfirops]o s?\b|\bc[emtfirop]os?\b|\bchief\b/i,
  vp: /\bvps?\b|\bvice presidents?\b/i,
  head: /\bheads?\b/i,
  director: /\bdirectors?\b/i,
  manager: /\bmanagers?\b/i,
};

const EUROPE = (
  'Germany,France,Spain,Italy,Netherlands,Belgium,Austria,Switzerland,Sweden,Norway,Denmark,Finland,Poland,Portugal,' +
  'Ireland,United Kingdom,Czech Republic,Romania,Hungary,Greece,Estonia,Latvia,Lithuania'
).split(',');

/** Countries by name; a region lists its countries. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(EUROPE.map(name => [name.toLowerCase(), [name]])),
  'united states': ['United States', 'USA', 'US'],
  usa: ['United States', 'USA', 'US'],
  uk: ['United Kingdom', 'UK', 'Great Britain'],
  canada: ['Canada'],
  australia: ['Australia'],
  india: ['India'],
  brazil: ['Brazil'],
  japan: ['Japan'],
  singapore: ['Singapore'],
  europe: EUROPE,
  emea: EUROPE,
  dach: ['Germany', 'Austria', 'Switzerland'],
  nordics: ['Sweden', 'Norway', 'Denmark', 'Finland', 'Iceland'],
  benelux: ['Belgium', 'Netherlands', 'Luxembourg'],
  'north america': ['United States', 'USA', 'US', 'Canada'],
};
