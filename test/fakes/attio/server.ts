import { type Asked, type ContactFields, FakeCrm, type Reply } from '../crm/fake-crm.ts';

/** A value of an attribute, as Attio sends it. */
type Entry = Record<string, unknown> & { attribute_type: string; active_from: string };

/** A record of the fake. */
interface FakeRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly values: Record<string, Entry[]>;
}

interface Attribute {
  readonly type: string;
  readonly isMany?: boolean;
}

const TOKEN = 'attio-fake-token';
const OWNER_ID = '5e3fb280-007b-495a-a530-9354bde01de1';
const MAX_LIMIT = 500;

/**
 * Attio as far as the CRM plugin meets it: a real HTTP server on loopback. Shapes follow the OpenAPI document of the REST API v2 of
 * docs.attio.com: the values of a record are lists with the time from which each holds, and there is no time of a record's last change.
 */
export class FakeAttio extends FakeCrm {
  readonly token = TOKEN;
  readonly provider = 'attio';
  override readonly tellsChanges = false;
  override readonly settings = { field_map: { owner: 'account_owner', 'companies.headcount': 'employees' } };
  readonly tooManyRequests = {
    status: 429,
    headers: { 'retry-after': new Date(0).toUTCString() },
    body: problem(429, 'rate_limit_exceeded', 'Rate limit exceeded'),
  };
  readonly records: Record<string, Map<string, FakeRecord>> = {
    people: new Map(),
    companies: new Map(),
    deals: new Map(),
  };
  readonly attributes: Record<string, Record<string, Attribute>> = {
    people: {
      name: { type: 'personal-name' },
      email_addresses: { type: 'email-address', isMany: true },
      job_title: { type: 'text' },
      company: { type: 'record-reference' },
      phone_numbers: { type: 'phone-number', isMany: true },
      account_owner: { type: 'actor-reference' },
    },
    companies: {
      name: { type: 'text' },
      domains: { type: 'domain', isMany: true },
      employees: { type: 'number' },
      employee_range: { type: 'select' },
    },
    deals: {
      stage: { type: 'status' },
      associated_company: { type: 'record-reference' },
      associated_people: { type: 'record-reference', isMany: true },
    },
  };
  private readonly deleted = new Map<string, FakeRecord>();
  private lastId = 9_000;

  /** Starts one on a free port. */
  static start(): Promise<FakeAttio> {
    return new FakeAttio().listen();
  }

  /** Creates a record, or changes attributes of one. Values are as they are written; null removes them. */
  put(object: string, id: string, values: Record<string, unknown>, at: string): void {
    const before = this.records[object]!.get(id);
    const entries = Object.entries(values).map(([slug, value]) => [slug, this.toEntries(object, slug, value, at)]);
    const known = before ?? { id, createdAt: at, values: {} };
    this.records[object]!.set(id, { ...known, values: { ...known.values, ...Object.fromEntries(entries) } });
  }

  putCompany(id: string, fields: { name?: string; domain?: string; headcount?: number }, updatedAt: string): void {
    const { name, domain, headcount } = fields;
    const values = {
      ...(name !== undefined && { name }),
      ...(domain !== undefined && { domains: [domain] }),
      ...(headcount !== undefined && { employees: headcount }),
    };
    this.put('companies', id, values, updatedAt);
  }

  putContact(id: string, { email, name, title, phone, isOwned }: ContactFields, updatedAt: string): void {
    const values = {
      ...(email !== undefined && { email_addresses: [email] }),
      ...(name !== undefined && { name }),
      ...(title !== undefined && { job_title: title }),
      ...(phone !== undefined && { phone_numbers: [phone] }),
      ...(isOwned && { account_owner: OWNER_ID }),
    };
    this.put('people', id, values, updatedAt);
  }

  putDeal(
    id: string,
    { stage, companyId, contactId }: { stage: 'open' | 'won'; companyId: string; contactId: string },
    updatedAt: string,
  ): void {
    const title = stage === 'open' ? 'Demo booked' : 'Won 🎉';
    this.put('deals', id, { stage: title, associated_company: companyId, associated_people: [contactId] }, updatedAt);
  }

  contactOf(id: string) {
    const values = this.records['people']!.get(id)?.values;
    if (!values) return undefined;
    const title = (values['job_title']?.[0]?.['value'] as string | undefined) ?? null;
    return { title, phone: (values['phone_numbers']?.[0]?.['phone_number'] as string | undefined) ?? null };
  }

  contactsWith(email: string): readonly string[] {
    return [...this.records['people']!.values()].filter(row => hasEmail(row, [email])).map(({ id }) => id);
  }

  deleteContact(id: string): void {
    this.deleted.set(id, this.records['people']!.get(id)!);
    this.records['people']!.delete(id);
  }

  restoreContact(id: string): void {
    this.records['people']!.set(id, this.deleted.get(id)!);
  }

  isWrite({ method }: Pick<Asked, 'method'>): boolean {
    return method === 'PUT';
  }

  protected clear(): void {
    for (const records of Object.values(this.records)) records.clear();
    this.deleted.clear();
  }

  protected reply({ method, path, query, headers, body }: Asked): Reply {
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, body: problem(401, 'unauthorized', 'The access token is not valid.') };
    if (path === '/v2/self') return { status: 200, body: { active: true, workspace_id: `workspace-${this.account}` } };
    if (path === '/v2/workspace_members') return ok(MEMBERS);
    if (path === '/v2/objects/deals/attributes/stage/statuses') return ok(STATUSES);
    const [, described = ''] = /^\/v2\/objects\/([a-z]+)\/attributes$/.exec(path) ?? [];
    if (described) return ok(this.listAttributes(described));
    const [, object = '', rest] = /^\/v2\/objects\/([a-z]+)\/records(?:\/([\w-]+))?$/.exec(path) ?? [];
    if (method === 'POST' && rest === 'query') return this.query(object, body);
    if (method === 'PUT' && object && rest !== undefined) return this.write(object, rest, body);
    if (method === 'PUT' && object && query.get('matching_attribute') === 'email_addresses')
      return this.assert(object, body);
    return { status: 404, body: problem(404, 'not_found', `No such path: ${method} ${path}`) };
  }

  private listAttributes(object: string): object[] {
    return Object.entries(this.attributes[object]!).map(([api_slug, { type, isMany = false }]) => ({
      api_slug,
      title: api_slug,
      type,
      is_writable: true,
      is_multiselect: isMany,
      is_archived: false,
    }));
  }

  private query(object: string, body: Asked['body']): Reply {
    const { filter = {}, limit = MAX_LIMIT, offset = 0 } = body as unknown as Query;
    if (limit > MAX_LIMIT) return { status: 400, body: problem(400, 'validation_type', 'limit is at most 500.') };
    const ids = filter.record_id?.$in;
    const emails = filter.email_addresses?.email_address.$in;
    const rows = [...this.records[object]!.values()]
      .filter(row => (!ids || ids.includes(row.id)) && (!emails || hasEmail(row, emails)))
      .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || Number(a.id) - Number(b.id));
    return ok(rows.slice(offset, offset + limit).map(show));
  }

  /** Replaces the values of the attributes that are sent. */
  private write(object: string, id: string, body: Asked['body']): Reply {
    if (!this.records[object]!.has(id)) return { status: 404, body: problem(404, 'not_found', 'Record not found') };
    const { values } = (body as unknown as WriteBody).data;
    const reason = this.refused.get(id) ?? this.findProblem(object, values);
    if (reason !== undefined) return { status: 400, body: problem(400, 'validation_type', reason) };
    this.put(object, id, values, new Date().toISOString());
    return { status: 200, body: { data: show(this.records[object]!.get(id)!) } };
  }

  private assert(object: string, body: Asked['body']): Reply {
    const { values } = (body as unknown as WriteBody).data;
    const reason = this.findProblem(object, values);
    if (reason !== undefined) return { status: 400, body: problem(400, 'validation_type', reason) };
    const emails = values['email_addresses'] as string[];
    const known = [...this.records[object]!.values()].find(row => hasEmail(row, emails));
    const id = known?.id ?? String(++this.lastId);
    this.put(object, id, values, new Date().toISOString());
    return { status: 200, body: { data: show(this.records[object]!.get(id)!) } };
  }

  /** Returns what is wrong with values: an unknown attribute, or a value of another type. */
  private findProblem(object: string, values: Record<string, unknown>): string | undefined {
    for (const [slug, value] of Object.entries(values)) {
      const attribute = this.attributes[object]![slug];
      if (!attribute) return `Cannot find attribute with slug/ID "${slug}".`;
      if (attribute.type === 'number' && typeof value !== 'number') return `"${slug}" must be a number.`;
      if (attribute.type === 'text' && typeof value !== 'string') return `"${slug}" must be a string.`;
      if (attribute.isMany && !Array.isArray(value)) return `"${slug}" must be an array.`;
    }
    return undefined;
  }

  private toEntries(object: string, slug: string, value: unknown, at: string): Entry[] {
    const { type } = this.attributes[object]![slug]!;
    const values = value === null ? [] : Array.isArray(value) ? value : [value];
    return values.map(each => ({ attribute_type: type, active_from: at, active_until: null, ...toParts(type, each) }));
  }
}

interface Query {
  readonly filter?: {
    readonly record_id?: { readonly $in: string[] };
    readonly email_addresses?: { readonly email_address: { readonly $in: string[] } };
  };
  readonly limit?: number;
  readonly offset?: number;
}

interface WriteBody {
  readonly data: { readonly values: Record<string, unknown> };
}

const MEMBERS = [
  {
    id: { workspace_member_id: OWNER_ID },
    first_name: 'Olga',
    last_name: 'Owner',
    email_address: 'olga@seller.example',
  },
];
const STATUSES = ['Demo booked', 'Won 🎉', 'Lost'].map((title, index) => ({
  id: { status_id: String(index) },
  title,
  is_archived: false,
  celebration_enabled: title.startsWith('Won'),
}));

/** Returns what a value is made of, by the type of its attribute. */
function toParts(type: string, value: unknown): object {
  if (type === 'personal-name') {
    const full = typeof value === 'string' ? value : (value as { full_name: string }).full_name;
    const [first_name, ...rest] = full.split(' ');
    return { first_name, last_name: rest.join(' '), full_name: full };
  }
  if (type === 'email-address') return { email_address: value, original_email_address: value };
  if (type === 'phone-number') return { phone_number: value, original_phone_number: value, country_code: 'DE' };
  if (type === 'domain') return { domain: value, root_domain: value };
  if (type === 'status') return { status: { title: value } };
  if (type === 'select') return { option: { title: value } };
  if (type === 'record-reference') return { target_object: 'companies', target_record_id: value };
  if (type === 'actor-reference') return { referenced_actor_type: 'workspace-member', referenced_actor_id: value };
  return { value };
}

function hasEmail({ values }: FakeRecord, emails: readonly string[]): boolean {
  return (values['email_addresses'] ?? []).some(entry => emails.includes(String(entry['email_address']).toLowerCase()));
}

function show({ id, createdAt, values }: FakeRecord): object {
  return { id: { workspace_id: 'w', object_id: 'o', record_id: id }, created_at: createdAt, values };
}

function problem(status_code: number, code: string, message: string): object {
  return { status_code, type: 'invalid_request_error', code, message };
}

function ok(data: readonly object[]): Reply {
  return { status: 200, body: { data } };
}
