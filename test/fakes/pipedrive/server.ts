import { type Asked, type ContactFields, FakeCrm, type Reply } from '../crm/fake-crm.ts';

/** A row as Pipedrive has it. Values of custom fields are under `custom_fields`. */
type Row = Record<string, unknown> & { id: number; update_time: string };

const TOKEN = 'pipedrive-fake-token';
const OWNER_ID = 9;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_IDS = 100;
/** A custom field with choices, and one of text. */
export const TIER_FIELD = 'a'.repeat(40);
export const NOTE_FIELD = 'b'.repeat(40);

/**
 * Pipedrive as far as the CRM plugin meets it: a real HTTP server on loopback. Shapes follow API v2 as the official client for
 * Node.js, version 33.7.0, describes it, and API v1 for users. Lists have an opaque cursor; the search does not know people who were
 * just added; values are checked by the type of their field.
 */
export class FakePipedrive extends FakeCrm {
  readonly token = TOKEN;
  readonly provider = 'pipedrive';
  readonly tooManyRequests = {
    status: 429,
    headers: { 'x-ratelimit-reset': '1' },
    body: { success: false, error: 'Request over limit' },
  };
  readonly rows: Record<string, Map<number, Row>> = { persons: new Map(), organizations: new Map(), deals: new Map() };
  /** Custom fields and those of every account by object: type, and labels of choices by ID. */
  readonly fields: Record<string, Record<string, { type: string; options?: Record<number, string> }>> = {
    persons: {
      name: { type: 'varchar' },
      email: { type: 'varchar' },
      phone: { type: 'phone' },
      job_title: { type: 'varchar' },
      org_id: { type: 'org' },
      owner_id: { type: 'user' },
      [TIER_FIELD]: { type: 'enum', options: { 41: 'Gold', 42: 'Silver' } },
      [NOTE_FIELD]: { type: 'varchar' },
    },
    organizations: {
      name: { type: 'varchar' },
      website: { type: 'varchar' },
      linkedin: { type: 'varchar' },
      industry: { type: 'enum', options: { 7: 'Computer Software' } },
      employee_count: { type: 'int' },
      annual_revenue: { type: 'int' },
      owner_id: { type: 'user' },
    },
  };
  /** IDs of people whom the search does not know yet. */
  readonly unindexed = new Set<number>();
  private readonly deleted = new Map<number, Row>();
  private lastId = 9_000;

  /** Starts one on a free port. */
  static start(): Promise<FakePipedrive> {
    return new FakePipedrive().listen();
  }

  /** Creates a row, or changes fields of one. */
  put(object: string, id: string, fields: Record<string, unknown>, updatedAt: string): void {
    const rows = this.rows[object]!;
    const before = rows.get(Number(id)) ?? { id: Number(id), custom_fields: {} };
    rows.set(Number(id), { ...before, ...fields, id: Number(id), update_time: updatedAt.replace(/\.\d+Z$/, 'Z') });
  }

  putCompany(id: string, fields: { name?: string; domain?: string; headcount?: number }, updatedAt: string): void {
    const { name, domain, headcount } = fields;
    const row = {
      ...(name !== undefined && { name }),
      ...(domain !== undefined && { website: `https://www.${domain}/about` }),
      ...(headcount !== undefined && { employee_count: headcount }),
    };
    this.put('organizations', id, row, updatedAt);
  }

  putContact(id: string, { email, name, title, phone, isOwned }: ContactFields, updatedAt: string): void {
    const row = {
      ...(email !== undefined && { emails: [{ value: email, primary: true, label: 'work' }] }),
      ...(name !== undefined && { name }),
      ...(title !== undefined && { job_title: title }),
      ...(phone !== undefined && { phones: [{ value: phone, primary: true, label: 'work' }] }),
      ...(isOwned && { owner_id: OWNER_ID }),
    };
    this.put('persons', id, row, updatedAt);
  }

  putDeal(
    id: string,
    { stage, companyId, contactId }: { stage: 'open' | 'won'; companyId: string; contactId: string },
    updatedAt: string,
  ): void {
    const row = { title: 'Deal', stage_id: 3, status: stage, org_id: Number(companyId), person_id: Number(contactId) };
    this.put('deals', id, row, updatedAt);
  }

  contactOf(id: string) {
    const person = this.rows['persons']!.get(Number(id));
    if (!person) return undefined;
    const phones = (person['phones'] ?? []) as { readonly value: string; readonly primary: boolean }[];
    const phone = phones.find(({ primary }) => primary)?.value ?? null;
    return { title: (person['job_title'] as string | undefined) ?? null, phone };
  }

  contactsWith(email: string): readonly string[] {
    const people = [...this.rows['persons']!.values()];
    return people.filter(row => emailsOf(row).includes(email.toLowerCase())).map(({ id }) => String(id));
  }

  deleteContact(id: string): void {
    this.deleted.set(Number(id), this.rows['persons']!.get(Number(id))!);
    this.rows['persons']!.delete(Number(id));
  }

  restoreContact(id: string): void {
    const row = this.deleted.get(Number(id))!;
    this.put('persons', id, row, new Date().toISOString());
  }

  isWrite({ method }: Pick<Asked, 'method'>): boolean {
    return method === 'PATCH' || method === 'POST';
  }

  protected clear(): void {
    for (const rows of Object.values(this.rows)) rows.clear();
    this.unindexed.clear();
    this.deleted.clear();
  }

  protected reply({ method, path, query, headers, body }: Asked): Reply {
    if (headers['x-api-token'] !== TOKEN)
      return { status: 401, body: { success: false, error: 'unauthorized access', errorCode: 401 } };
    if (path === '/api/v1/users') return { status: 200, body: { success: true, data: USERS } };
    if (path === '/api/v1/users/me')
      return { status: 200, body: { success: true, data: { id: OWNER_ID, company_id: this.account } } };
    if (path === '/api/v2/stages') return ok(STAGES);
    if (path === '/api/v2/persons/search') return this.search(query);
    const [, fieldsOf] = /^\/api\/v2\/(person|organization)Fields$/.exec(path) ?? [];
    if (fieldsOf) return ok(this.listFields(`${fieldsOf}s`));
    const [, object = '', id] = /^\/api\/v2\/(persons|organizations|deals)(?:\/(\d+))?$/.exec(path) ?? [];
    if (method === 'GET' && object && id === undefined) return this.list(object, query);
    if (method === 'PATCH' && id !== undefined) return this.update(object, Number(id), body);
    if (method === 'POST' && object) return this.create(object, body);
    return { status: 404, body: { success: false, error: `No such path: ${method} ${path}` } };
  }

  private listFields(object: string): object[] {
    return Object.entries(this.fields[object]!).map(([field_code, { type, options }]) => ({
      field_name: field_code,
      field_code,
      field_type: type,
      is_custom_field: field_code.length === 40,
      is_optional_response_field: false,
      options: options ? Object.entries(options).map(([id, label]) => ({ id: Number(id), label })) : null,
      subfields: null,
    }));
  }

  private list(object: string, query: URLSearchParams): Reply {
    const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
    if (limit > MAX_LIMIT) return refuse(`limit must be less than or equal to ${MAX_LIMIT}`);
    const ids = query.get('ids')?.split(',').map(Number);
    if (ids && ids.length > MAX_IDS) return refuse(`ids must contain at most ${MAX_IDS} items`);
    const since = query.get('updated_since');
    if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since))
      return refuse('updated_since is no RFC 3339');
    const by = query.get('sort_by') ?? 'id';
    const rows = [...this.rows[object]!.values()]
      .filter(({ id, update_time }) => (!ids || ids.includes(id)) && (since === null || update_time >= since))
      .toSorted((a, b) => (by === 'update_time' ? a.update_time.localeCompare(b.update_time) : 0) || a.id - b.id);
    // IDs are given in the order of creation.
    if (query.get('sort_direction') === 'desc') rows.reverse();
    const from = Number(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || 0);
    const next = from + limit < rows.length ? Buffer.from(String(from + limit)).toString('base64url') : null;
    return ok(rows.slice(from, from + limit), next);
  }

  private search(query: URLSearchParams): Reply {
    const people = [...this.rows['persons']!.values()].filter(({ id }) => !this.unindexed.has(id));
    const found = people.filter(row => emailsOf(row).includes(query.get('term')!.toLowerCase()));
    const items = found.map(row => ({
      result_score: 1,
      item: { id: row.id, type: 'person', name: row['name'], emails: emailsOf(row) },
    }));
    const body = { success: true, data: { items }, additional_data: { next_cursor: null } };
    return { status: 200, body };
  }

  private update(object: string, id: number, body: Asked['body']): Reply {
    const row = this.rows[object]!.get(id);
    if (!row) return { status: 404, body: { success: false, error: 'Person not found' } };
    const reason = this.refused.get(String(id)) ?? this.findProblem(object, body);
    if (reason !== undefined) return refuse(reason);
    const { custom_fields = {}, ...fields } = body;
    const custom = { ...(row['custom_fields'] as object), ...(custom_fields as object) };
    this.put(object, String(id), { ...fields, custom_fields: custom }, new Date().toISOString());
    return { status: 200, body: { success: true, data: this.rows[object]!.get(id)! } };
  }

  private create(object: string, body: Asked['body']): Reply {
    const reason = typeof body['name'] === 'string' ? this.findProblem(object, body) : 'name is required';
    if (reason !== undefined) return refuse(reason);
    const id = ++this.lastId;
    this.put(object, String(id), { custom_fields: {}, ...body }, new Date().toISOString());
    this.unindexed.add(id);
    return { status: 201, body: { success: true, data: this.rows[object]!.get(id)! } };
  }

  /** Returns what is wrong with values: an unknown field, or a value of another type. */
  private findProblem(object: string, { custom_fields = {}, ...own }: Asked['body']): string | undefined {
    for (const [name, value] of Object.entries({ ...own, ...(custom_fields as object) })) {
      const code = name === 'emails' || name === 'phones' ? name.slice(0, -1) : name;
      const field = this.fields[object]![code];
      if (!field) return `Parameter '${name}' is not allowed`;
      const isNumber = ['int', 'double', 'user', 'org', 'enum'].includes(field.type);
      if (isNumber && typeof value !== 'number') return `Parameter '${name}' must be a number`;
      if (field.options && !Object.hasOwn(field.options, value as number))
        return `Parameter '${name}' has no such option`;
      if (code !== name && !Array.isArray(value)) return `Parameter '${name}' must be an array`;
      if (!isNumber && code === name && typeof value !== 'string') return `Parameter '${name}' must be a string`;
    }
    return undefined;
  }
}

const USERS = [{ id: OWNER_ID, name: 'Olga Owner', email: 'olga@seller.example', active_flag: true }];
const STAGES = [
  { id: 3, name: 'Demo booked', pipeline_id: 1, order_nr: 1, is_deleted: false },
  { id: 4, name: 'Proposal made', pipeline_id: 1, order_nr: 2, is_deleted: false },
];

function emailsOf(row: Row): string[] {
  return ((row['emails'] ?? []) as { value: string }[]).map(({ value }) => value.toLowerCase());
}

function refuse(error: string): Reply {
  return {
    status: 400,
    body: { success: false, error, error_info: 'Check developers.pipedrive.com', code: 'ERR_BODY' },
  };
}

function ok(data: readonly object[], next: string | null = null): Reply {
  return { status: 200, body: { success: true, data, additional_data: { next_cursor: next } } };
}
