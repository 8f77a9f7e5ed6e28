/** What a filter is asked of in memory: a person's facts, as the account shows them. */
export interface ModelPerson {
  readonly name: string;
  readonly last_activity_at: string | null;
  readonly claims: Readonly<Record<string, ModelClaim>>;
}

/** See ModelPerson. */
export interface ModelClaim {
  readonly value: unknown;
  readonly status: string;
  readonly confidence: number;
  readonly freshness: string;
  readonly epistemic_class: string;
  readonly refresh_due_at: string | null;
  readonly sources: readonly { readonly source: string }[];
}

type Json = Record<string, unknown>;

const fold = (value: unknown): string => String(value).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
const hasText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Whether a person passes a filter: the meaning of the language, written down a second time and as plainly as can be. */
export function passes(person: ModelPerson, filter: Json): boolean {
  return Object.entries(filter).every(([key, operand]) => {
    if (key === '$and') return (operand as Json[]).every(part => passes(person, part));
    if (key === '$or') return (operand as Json[]).some(part => passes(person, part));
    if (key === '$not') return !passes(person, operand as Json);
    const conditions = typeof operand === 'object' && operand !== null ? (operand as Json) : { $eq: operand };
    return Object.entries(conditions).every(([op, wanted]) => holds(person, key, op, wanted));
  });
}

function holds(person: ModelPerson, field: string, op: string, wanted: unknown): boolean {
  if (op === '$ne') return !holds(person, field, '$eq', wanted);
  if (op === '$nin') return !holds(person, field, '$in', wanted);
  if (op === '$exists') return exists(person, field) === wanted;
  if (op === '$in') return (wanted as unknown[]).some(each => holds(person, field, '$eq', each));
  if (op === '$eq' && wanted === null) return !exists(person, field);
  if (field === 'last_activity_at') {
    const { last_activity_at: at } = person;
    return at !== null && compare(Date.parse(at), op, Date.parse(String(wanted)));
  }
  const claim = person.claims[field];
  if (!claim) return false;
  if (op === 'freshness') return [wanted].flat().includes(claim.freshness);
  if (op === 'epistemic_class') return [wanted].flat().includes(claim.epistemic_class);
  const sources = claim.status === 'ended' ? new Set() : new Set(claim.sources.map(({ source }) => source));
  if (op === 'source') return [wanted].flat().some(source => sources.has(source));
  if (op === 'only_source') return sources.size === 1 && [wanted].flat().some(source => sources.has(source));
  if (op === 'refresh_due_at') {
    const due = claim.refresh_due_at === null ? Infinity : Date.parse(claim.refresh_due_at);
    return Object.entries(wanted as Json).every(([side, time]) => compare(due, side, Date.parse(String(time))));
  }
  if (op === 'confidence')
    return Object.entries(wanted as Json).every(([side, n]) => compare(claim.confidence, side, n));
  const values = (claim.status === 'ended' ? [] : [claim.value].flat()).filter(hasText);
  return values.some(value => received(value, op, wanted));
}

function received(value: unknown, op: string, wanted: unknown): boolean {
  if (op === '$eq') return fold(value) === fold(wanted);
  if (op === '$contains') return fold(value).includes(fold(wanted));
  if (op === '$starts_with') return fold(value).startsWith(fold(wanted));
  if (typeof wanted === 'number') return typeof value === 'number' && compare(value, op, wanted);
  return compare(Buffer.compare(Buffer.from(fold(value)), Buffer.from(fold(wanted))), op, 0);
}

function exists(person: ModelPerson, field: string): boolean {
  if (field === 'last_activity_at') return person.last_activity_at !== null;
  const claim = person.claims[field];
  return claim !== undefined && claim.status !== 'ended';
}

function compare(one: number, op: string, other: unknown): boolean {
  const limit = Number(other);
  if (op === '$gt') return one > limit;
  if (op === '$gte') return one >= limit;
  if (op === '$lt') return one < limit;
  return op === '$lte' ? one <= limit : one === limit;
}
