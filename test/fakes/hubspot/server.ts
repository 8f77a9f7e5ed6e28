import { type Asked, type ContactFields, FakeCrm, type Reply } from '../crm/fake-crm.ts';

/** A record of the fake. */
export interface FakeRecord {
  readonly id: string;
  updatedAt: string;
  properties: Record<string, string | null>;
}

const TOKEN = 'pat-eu1-fake';
/** The field with the time of the last change. */
const modifiedField = (object: string) => (object === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate');
/** Results beyond which a search is refused. */
const MAX_RESULTS = 10_000;
/** Most records of a batch. */
const MAX_BATCH = 100;
/** Fields that every account has besides those that a test declares. */
const NAMES: ReadonlySet<string> = new Set(['email', 'firstname', 'lastname', 'name', 'domain']);

/**
 * HubSpot as far as the CRM plugin meets it: a real HTTP server on loopback. Shapes follow the CRM API v3 and associations
 * v4 of developers.hubspot.com: values are texts, lists have a cursor, a search has a limit per page and altogether.
 */
export class FakeHubspot extends FakeCrm {
  readonly token = TOKEN;
  readonly provider = 'hubspot';
  readonly tooManyRequests = { status: 429, body: { status: 'error', policyName: 'SECONDLY' } };
  readonly records: Record<string, Map<string, FakeRecord>> = {
    contacts: new Map(),
    companies: new Map(),
    deals: new Map(),
    calls: new Map(),
    emails: new Map(),
    meetings: new Map(),
  };
  /** Fields of an object with the labels of their choices. */
  readonly fields: Record<string, Record<string, Record<string, string>>> = {
    contacts: {
      jobtitle: {},
      phone: {},
      city: {},
      company: {},
      lifecyclestage: { customer: 'Customer', salesqualifiedlead: 'Sales Qualified Lead' },
      hubspot_owner_id: {},
    },
    companies: { industry: { COMPUTER_SOFTWARE: 'Computer Software' }, numberofemployees: {}, hubspot_owner_id: {} },
    deals: { dealstage: {} },
  };
  /** Associations of deals and activities: contacts and companies by the ID of the record. */
  readonly links = new Map<string, { contacts: string[]; companies: string[] }>();
  /** Contacts that were deleted. */
  readonly archived = new Map<string, FakeRecord>();
  /** The last ID of a record that the fake has created itself. */
  private lastId = 9_000;

  /** Starts one on a free port. */
  static start(): Promise<FakeHubspot> {
    return new FakeHubspot().listen();
  }

  putCompany(id: string, fields: { name?: string; domain?: string; headcount?: number }, updatedAt: string): void {
    const { headcount, ...own } = fields;
    const size: Record<string, string> = headcount === undefined ? {} : { numberofemployees: String(headcount) };
    this.put('companies', id, { ...own, ...size }, updatedAt);
  }

  putContact(id: string, { email, name, title, phone, isOwned }: ContactFields, updatedAt: string): void {
    const [firstname, ...rest] = name?.split(' ') ?? [];
    const properties = {
      ...(email !== undefined && { email }),
      ...(firstname !== undefined && { firstname, lastname: rest.join(' ') || null }),
      ...(title !== undefined && { jobtitle: title }),
      ...(phone !== undefined && { phone }),
      ...(isOwned && { hubspot_owner_id: '9' }),
    };
    this.put('contacts', id, properties, updatedAt);
  }

  putDeal(
    id: string,
    { stage, companyId, contactId }: { stage: 'open' | 'won'; companyId: string; contactId: string },
    updatedAt: string,
  ): void {
    this.put('deals', id, { dealstage: stage === 'open' ? 'demo' : 'won' }, updatedAt);
    this.links.set(id, { companies: [companyId], contacts: [contactId] });
  }

  contactOf(id: string) {
    const properties = this.records['contacts']!.get(id)?.properties;
    return properties && { title: properties['jobtitle'] ?? null, phone: properties['phone'] ?? null };
  }

  contactsWith(email: string): readonly string[] {
    const contacts = [...this.records['contacts']!.values()];
    return contacts.filter(({ properties }) => properties['email'] === email).map(({ id }) => id);
  }

  deleteContact(id: string): void {
    this.archived.set(id, this.records['contacts']!.get(id)!);
    this.records['contacts']!.delete(id);
  }

  restoreContact(id: string): void {
    this.records['contacts']!.set(id, { ...this.archived.get(id)!, updatedAt: new Date().toISOString() });
    this.archived.delete(id);
  }

  isWrite({ path }: Pick<Asked, 'path'>): boolean {
    return /\/batch\/(?:update|upsert)$/.test(path);
  }

  /** Creates a record, or changes fields of one. */
  put(object: string, id: string, properties: Record<string, string | null>, updatedAt: string): void {
    const before = this.records[object]!.get(id)?.properties ?? {};
    this.records[object]!.set(id, { id, updatedAt, properties: { ...before, ...properties } });
  }

  protected clear(): void {
    for (const records of Object.values(this.records)) records.clear();
    this.links.clear();
    this.archived.clear();
  }

  protected reply({ path, query, body, headers }: Asked): Reply {
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, body: { status: 'error', category: 'INVALID_AUTHENTICATION', message: 'Invalid token' } };
    const [, batchObject = '', action] = /^\/crm\/v3\/objects\/([a-z]+)\/batch\/(read|update|upsert)$/.exec(path) ?? [];
    if (action === 'read') return this.readBatch(batchObject, body);
    if (action !== undefined) return this.writeBatch(batchObject, action, body);
    const [, object = '', isSearch] = /^\/crm\/v3\/objects\/([a-z]+)(\/search)?$/.exec(path) ?? [];
    if (object) return isSearch ? this.search(object, body) : this.list(object, query);
    if (path.startsWith('/crm/v3/properties/')) return this.listFields(path.split('/').at(-1)!);
    if (path === '/account-info/v3/details') return { status: 200, body: { portalId: this.account } };
    if (path === '/crm/v3/pipelines/deals') return ok(PIPELINES);
    if (path === '/crm/v3/owners') return ok(query.get('archived') === 'true' ? [] : OWNERS);
    const [, to] = /^\/crm\/v4\/associations\/[a-z]+\/([a-z]+)\/batch\/read$/.exec(path) ?? [];
    if (to) return this.associations(to as 'contacts' | 'companies', body);
    return { status: 404, body: { status: 'error', message: `No such path: ${path}` } };
  }

  private listFields(object: string): Reply {
    const fields = Object.entries(this.fields[object] ?? {}).map(([name, choices]) => ({
      name,
      label: name,
      type: Object.keys(choices).length > 0 ? 'enumeration' : 'string',
      options: Object.entries(choices).map(([value, label]) => ({ value, label, hidden: false })),
    }));
    return ok(fields);
  }

  private list(object: string, query: URLSearchParams): Reply {
    const limit = Number(query.get('limit') ?? 10);
    if (limit > 100) return { status: 400, body: { status: 'error', message: 'limit must not exceed 100' } };
    const isArchived = query.get('archived') === 'true';
    const archived = object === 'contacts' ? this.archived : new Map<string, FakeRecord>();
    const listed = isArchived ? archived : this.records[object]!;
    const rows = [...listed.values()].toSorted((a, b) => Number(a.id) - Number(b.id));
    const rest = rows.filter(({ id }) => Number(id) > Number(query.get('after') ?? 0));
    const page = rest.slice(0, limit);
    // Names come as one list, or as one parameter each.
    const names = query.getAll('properties').flatMap(list => list.split(','));
    return ok(
      page.map(row => show(row, names)),
      rest.length > limit ? page.at(-1)!.id : undefined,
    );
  }

  private search(object: string, body: Asked['body']): Reply {
    const { filterGroups, sorts, properties, limit, after } = body as unknown as Search;
    const valueOf = (row: FakeRecord, name: string) =>
      name === modifiedField(object) ? Date.parse(row.updatedAt) : Number(row.id);
    const matches = (row: FakeRecord) =>
      filterGroups[0]!.filters.every(({ propertyName, operator, value }) => {
        const own = valueOf(row, propertyName);
        if (operator === 'GTE') return own >= Number(value);
        return operator === 'EQ' ? own === Number(value) : own > Number(value);
      });
    const start = Number(after ?? 0);
    if (start + limit > MAX_RESULTS || limit > 200)
      return { status: 400, body: { status: 'error', message: 'A search gives at most 10000 results.' } };
    const rows = [...this.records[object]!.values()]
      .filter(matches)
      .toSorted((a, b) => valueOf(a, sorts[0]!.propertyName) - valueOf(b, sorts[0]!.propertyName));
    const page = rows.slice(start, start + limit);
    const next = start + limit < rows.length ? String(start + limit) : undefined;
    return ok(
      page.map(row => show(row, properties)),
      next,
    );
  }

  private readBatch(object: string, body: Asked['body']): Reply {
    const { inputs, properties, idProperty } = body as unknown as BatchRead;
    if (inputs.length > MAX_BATCH) return refuse(`The maximum number of inputs is ${MAX_BATCH}.`);
    const found = inputs.map(({ id }) => this.find(object, id, idProperty));
    const rows = found.filter(row => row !== undefined).map(row => show(row, properties));
    return { status: rows.length < inputs.length ? 207 : 200, body: { status: 'COMPLETE', results: rows } };
  }

  /** Writes a batch; a wrong choice refuses all of it, a record that does not exist only itself. */
  private writeBatch(object: string, action: string, body: Asked['body']): Reply {
    const inputs = (body as unknown as BatchWrite).inputs;
    if (inputs.length > MAX_BATCH) return refuse(`The maximum number of inputs is ${MAX_BATCH}.`);
    for (const { properties } of inputs) {
      for (const [name, value] of Object.entries(properties)) {
        const choices = Object.keys(this.fields[object]![name] ?? {});
        if (choices.length > 0 && !choices.includes(value))
          return refuse(`${value} was not one of the allowed options: ${choices.join()}`);
        if (!Object.hasOwn(this.fields[object]!, name) && !NAMES.has(name))
          return refuse(`Property "${name}" does not exist`);
      }
    }
    const results: object[] = [];
    const errors: object[] = [];
    for (const { id, idProperty, properties, objectWriteTraceId } of inputs) {
      const known = this.find(object, id, idProperty);
      const trace = objectWriteTraceId === undefined ? {} : { objectWriteTraceId };
      const reason = known
        ? this.refused.get(known.id)
        : action === 'update'
          ? 'Could not get some records'
          : undefined;
      if (reason !== undefined) {
        const context = {
          ids: [id],
          ...(objectWriteTraceId !== undefined && { objectWriteTraceId: [objectWriteTraceId] }),
        };
        errors.push({ status: 'error', category: 'VALIDATION_ERROR', message: reason, context });
        continue;
      }
      const rowId = known?.id ?? String(++this.lastId);
      this.put(object, rowId, properties, new Date().toISOString());
      const row = this.records[object]!.get(rowId)!;
      results.push({ ...show(row, Object.keys(row.properties)), new: !known, ...trace });
    }
    const status = errors.length > 0 ? 207 : 200;
    return {
      status,
      body: { status: 'COMPLETE', results, ...(errors.length > 0 && { numErrors: errors.length, errors }) },
    };
  }

  private find(object: string, id: string, idProperty?: string): FakeRecord | undefined {
    if (idProperty === undefined) return this.records[object]!.get(id);
    return [...this.records[object]!.values()].find(
      ({ properties }) => properties[idProperty]?.toLowerCase() === id.toLowerCase(),
    );
  }

  private associations(to: 'contacts' | 'companies', body: Asked['body']): Reply {
    const inputs = body['inputs'] as { id: string }[];
    return ok(
      inputs.flatMap(({ id }) => {
        const targets = this.links.get(id)?.[to] ?? [];
        return targets.length > 0 ? [{ from: { id }, to: targets.map(each => ({ toObjectId: Number(each) })) }] : [];
      }),
    );
  }
}

interface BatchRead {
  readonly inputs: { id: string }[];
  readonly properties: readonly string[];
  readonly idProperty?: string;
}

interface BatchWrite {
  readonly inputs: {
    id: string;
    idProperty?: string;
    properties: Record<string, string>;
    objectWriteTraceId?: string;
  }[];
}

interface Search {
  readonly filterGroups: { filters: { propertyName: string; operator: string; value: string }[] }[];
  readonly sorts: { propertyName: string }[];
  readonly properties: string[];
  readonly limit: number;
  readonly after?: string;
}

const OWNERS = [{ id: '9', email: 'olga@seller.example', firstName: 'Olga', lastName: 'Owner', archived: false }];
const PIPELINES = [
  {
    id: 'default',
    label: 'Sales',
    stages: [
      { id: 'demo', label: 'Demo booked', metadata: { isClosed: 'false', probability: '0.4' } },
      { id: 'won', label: 'Closed won', metadata: { isClosed: 'true', probability: '1.0' } },
      { id: 'lost', label: 'Closed lost', metadata: { isClosed: 'true', probability: '0.0' } },
    ],
  },
];

/** Unknown and unrequested fields are absent; those without a value are null. */
function show({ id, updatedAt, properties }: FakeRecord, names: readonly string[]): object {
  const shown = Object.fromEntries(names.map(name => [name, properties[name] ?? null]));
  return { id, properties: shown, createdAt: updatedAt, updatedAt, archived: false };
}

function refuse(message: string): Reply {
  return { status: 400, body: { status: 'error', category: 'VALIDATION_ERROR', message } };
}

function ok(results: readonly object[], after?: string): Reply {
  return { status: 200, body: { results, ...(after !== undefined && { paging: { next: { after } } }) } };
}
