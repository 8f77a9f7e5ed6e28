import { type Asked, type ContactFields, FakeCrm, type Reply } from '../crm/fake-crm.ts';
import { type ParsedQuery, parseSoql, type Row, selectRows } from './soql.ts';

type Type = 'Account' | 'Contact' | 'Opportunity';

/** A field of an object. Those without `isReadOnly` can be written. */
interface FakeField {
  readonly type: string;
  readonly choices?: readonly string[];
  readonly referenceTo?: readonly string[];
  readonly isReadOnly?: boolean;
}

const TOKEN = '00D-salesforce-fake-token';
const OWNER_ID = '9';
const MAX_ROWS = 2_000;
const MAX_RECORDS = 200;
/** Longest address of a request, in bytes. */
const MAX_URL_BYTES = 16_384;
const NUMBER_TYPES = new Set(['int', 'double', 'currency']);

const COMMON: Readonly<Record<string, FakeField>> = {
  Id: { type: 'id', isReadOnly: true },
  SystemModstamp: { type: 'datetime', isReadOnly: true },
  CreatedDate: { type: 'datetime', isReadOnly: true },
  IsDeleted: { type: 'boolean', isReadOnly: true },
  MasterRecordId: { type: 'reference', isReadOnly: true },
  OwnerId: { type: 'reference', referenceTo: ['User'] },
};

/**
 * Salesforce as far as the CRM plugin meets it: a real HTTP server on loopback. Shapes follow the REST API and the object reference of
 * developer.salesforce.com. Queries are parsed and refused for unknown fields; collections are written record by record; values
 * are checked by the type of their field; deleted and merged records are in the recycle bin.
 */
export class FakeSalesforce extends FakeCrm {
  readonly token = TOKEN;
  readonly provider = 'salesforce';
  readonly tooManyRequests = {
    status: 403,
    body: [
      { message: 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.', errorCode: 'REQUEST_LIMIT_EXCEEDED' },
    ],
  };
  /** Records by object and ID, with those in the recycle bin. */
  readonly rows: Record<Type, Map<string, Row>> = { Account: new Map(), Contact: new Map(), Opportunity: new Map() };
  readonly fields: Record<Type, Record<string, FakeField>> = {
    Account: {
      ...COMMON,
      Name: { type: 'string' },
      Website: { type: 'url' },
      Industry: { type: 'picklist', choices: ['Technology', 'Banking'] },
      NumberOfEmployees: { type: 'int' },
      AnnualRevenue: { type: 'currency' },
      Phone: { type: 'phone' },
      BillingCity: { type: 'string' },
      BillingCountry: { type: 'string' },
      BillingAddress: { type: 'address', isReadOnly: true },
      Description: { type: 'textarea' },
    },
    Contact: {
      ...COMMON,
      Name: { type: 'string', isReadOnly: true },
      FirstName: { type: 'string' },
      LastName: { type: 'string' },
      Email: { type: 'email' },
      Title: { type: 'string' },
      Phone: { type: 'phone' },
      MailingCity: { type: 'string' },
      MailingCountry: { type: 'string' },
      AccountId: { type: 'reference', referenceTo: ['Account'] },
      HasOptedOutOfEmail: { type: 'boolean' },
    },
    Opportunity: {
      ...COMMON,
      Name: { type: 'string' },
      StageName: { type: 'picklist' },
      AccountId: { type: 'reference', referenceTo: ['Account'] },
    },
  };
  private lastId = 9_000;

  /** Starts one on a free port. */
  static start(): Promise<FakeSalesforce> {
    return new FakeSalesforce().listen();
  }

  /** Creates a record, or changes fields of one. */
  put(type: Type, id: string, fields: Row, updatedAt: string): void {
    const before = this.rows[type].get(id) ?? {
      Id: id,
      CreatedDate: updatedAt,
      IsDeleted: false,
      MasterRecordId: null,
    };
    const row = { ...before, ...fields };
    const Name = type === 'Contact' ? [row['FirstName'], row['LastName']].filter(Boolean).join(' ') : row['Name'];
    this.rows[type].set(id, { ...row, Name, SystemModstamp: updatedAt });
  }

  putCompany(id: string, fields: { name?: string; domain?: string; headcount?: number }, updatedAt: string): void {
    const { name, domain, headcount } = fields;
    const row = {
      ...(name !== undefined && { Name: name }),
      ...(domain !== undefined && { Website: `www.${domain}/about` }),
      ...(headcount !== undefined && { NumberOfEmployees: headcount }),
    };
    this.put('Account', id, row, updatedAt);
  }

  putContact(id: string, { email, name, title, phone, isOwned }: ContactFields, updatedAt: string): void {
    const [FirstName, LastName] = (name ?? '').split(' ');
    const row = {
      ...(email !== undefined && { Email: email }),
      ...(name !== undefined && { FirstName: LastName ? FirstName : null, LastName: LastName ?? FirstName }),
      ...(title !== undefined && { Title: title }),
      ...(phone !== undefined && { Phone: phone }),
      ...(isOwned && { OwnerId: OWNER_ID }),
    };
    this.put('Contact', id, row, updatedAt);
  }

  putDeal(
    id: string,
    { stage, companyId, contactId }: { stage: 'open' | 'won'; companyId: string; contactId: string },
    updatedAt: string,
  ): void {
    const StageName = stage === 'won' ? 'Closed Won' : 'Demo booked';
    const OpportunityContactRoles = { totalSize: 1, done: true, records: [{ ContactId: contactId }] };
    this.put('Opportunity', id, { Name: 'Deal', StageName, AccountId: companyId, OpportunityContactRoles }, updatedAt);
  }

  /** Merges contacts: the other one goes into the recycle bin with the ID of the one that stays. */
  mergeContacts(id: string, otherId: string, updatedAt: string): void {
    this.put('Contact', otherId, { IsDeleted: true, MasterRecordId: id }, updatedAt);
    this.put('Contact', id, {}, updatedAt);
  }

  contactOf(id: string) {
    const row = this.living('Contact').find(each => each['Id'] === id);
    return (
      row && {
        title: (row['Title'] as string | undefined) ?? null,
        phone: (row['Phone'] as string | undefined) ?? null,
      }
    );
  }

  contactsWith(email: string): readonly string[] {
    const found = this.living('Contact').filter(row => String(row['Email']).toLowerCase() === email.toLowerCase());
    return found.map(row => String(row['Id']));
  }

  deleteContact(id: string): void {
    this.put('Contact', id, { IsDeleted: true }, new Date().toISOString());
  }

  restoreContact(id: string): void {
    this.put('Contact', id, { IsDeleted: false }, new Date().toISOString());
  }

  isWrite({ method }: Pick<Asked, 'method'>): boolean {
    return method === 'PATCH' || method === 'POST';
  }

  protected clear(): void {
    for (const rows of Object.values(this.rows)) rows.clear();
  }

  protected reply({ method, path, query, headers, body }: Asked): Reply {
    if (headers['authorization'] !== `Bearer ${TOKEN}`)
      return { status: 401, body: [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }] };
    if (`${path}?${query}`.length > MAX_URL_BYTES)
      return refuse('URI_TOO_LONG', 'The requested URI exceeds the maximum.', 414);
    const [, resource = ''] = /^\/services\/data\/v\d\d\.0\/(.+)$/.exec(path) ?? [];
    const [, described] = /^sobjects\/(\w+)\/describe$/.exec(resource) ?? [];
    if (method === 'GET' && described !== undefined) return this.describe(described as Type);
    if (method === 'GET' && (resource === 'query' || resource === 'queryAll'))
      return this.query(query.get('q') ?? '', resource === 'queryAll');
    if (method === 'PATCH' && resource === 'composite/sobjects') return this.write(body, record => this.update(record));
    if (method === 'POST' && resource === 'composite/sobjects') return this.write(body, record => this.create(record));
    return refuse('NOT_FOUND', `The requested resource does not exist: ${method} ${path}`, 404);
  }

  private describe(type: Type): Reply {
    const fields = Object.entries(this.fields[type]).map(([name, field]) => ({
      name,
      label: name,
      type: field.type,
      updateable: field.isReadOnly !== true,
      picklistValues: (field.choices ?? []).map(value => ({ value, label: value, active: true })),
      referenceTo: field.referenceTo ?? [],
    }));
    return { status: 200, body: { name: type, fields } };
  }

  private query(text: string, isWithDeleted: boolean): Reply {
    let parsed: ParsedQuery;
    try {
      parsed = parseSoql(text);
    } catch (error) {
      return refuse('MALFORMED_QUERY', (error as Error).message);
    }
    const tables: Readonly<Record<string, readonly Row[]>> = {
      ...Object.fromEntries(
        (['Account', 'Contact', 'Opportunity'] as const).map(type => [type, this.living(type, isWithDeleted)]),
      ),
      User: [{ Id: OWNER_ID, Name: 'Olga Owner', UserType: 'Standard' }],
      Organization: [{ Id: String(this.account) }],
      OpportunityStage: STAGES,
    };
    const table = tables[parsed.from];
    if (!table) return refuse('INVALID_TYPE', `sObject type '${parsed.from}' is not supported.`);
    const known = this.fields[parsed.from as Type];
    const unknown = known && parsed.fields.find(field => !field.startsWith('(') && !Object.hasOwn(known, field));
    if (unknown !== undefined)
      return refuse('INVALID_FIELD', `No such column '${unknown}' on entity '${parsed.from}'.`);
    const rows = selectRows(parsed, table);
    const records = rows.slice(0, MAX_ROWS).map(row => toRecord(parsed, row));
    return { status: 200, body: { totalSize: rows.length, done: rows.length <= MAX_ROWS, records } };
  }

  private living(type: Type, isWithDeleted = false): Row[] {
    return [...this.rows[type].values()].filter(row => isWithDeleted || row['IsDeleted'] !== true);
  }

  private write({ records = [] }: Asked['body'], write: (record: Row) => object): Reply {
    const all = records as readonly Row[];
    if (all.length > MAX_RECORDS) return refuse('INVALID_INPUT', `The number of records exceeds ${MAX_RECORDS}.`);
    return { status: 200, body: all.map(write) };
  }

  private update({ attributes, id, ...fields }: Row): object {
    const { type } = attributes as { type: Type };
    const row = this.living(type).find(each => each['Id'] === id);
    if (!row) return fail('ENTITY_IS_DELETED', 'entity is deleted');
    const reason = this.refused.get(String(id)) ?? this.findProblem(type, fields);
    if (reason !== undefined) return fail('FIELD_CUSTOM_VALIDATION_EXCEPTION', reason);
    this.put(type, String(id), fields, new Date().toISOString());
    return { id, success: true, errors: [] };
  }

  private create({ attributes, ...fields }: Row): object {
    const { type } = attributes as { type: Type };
    if (type === 'Contact' && typeof fields['LastName'] !== 'string')
      return fail('REQUIRED_FIELD_MISSING', 'Required fields are missing: [LastName]');
    const reason = this.findProblem(type, fields);
    if (reason !== undefined) return fail('INVALID_FIELD', reason);
    const id = String(++this.lastId);
    this.put(type, id, fields, new Date().toISOString());
    return { id, success: true, errors: [] };
  }

  /** Returns what is wrong with values: a field that is unknown or read only, or a value of another type. */
  private findProblem(type: Type, fields: Row): string | undefined {
    for (const [name, value] of Object.entries(fields)) {
      const field = this.fields[type][name];
      if (!field || field.isReadOnly) return `Unable to create/update fields: ${name}.`;
      const expected = NUMBER_TYPES.has(field.type) ? 'number' : field.type === 'boolean' ? 'boolean' : 'string';
      if (value !== null && typeof value !== expected) return `Cannot deserialize ${name} from ${typeof value}.`;
    }
    return undefined;
  }
}

const STAGES = [
  { ApiName: 'Demo booked', MasterLabel: 'Demo booked', IsClosed: false, IsWon: false },
  { ApiName: 'Closed Won', MasterLabel: 'Closed Won', IsClosed: true, IsWon: true },
  { ApiName: 'Closed Lost', MasterLabel: 'Closed Lost', IsClosed: true, IsWon: false },
];

function toRecord({ fields, from }: ParsedQuery, row: Row): Row {
  const columns = fields.map(field => (field.startsWith('(') ? /FROM (\w+)\)$/.exec(field)![1]! : field));
  const values = columns.map(column => [column, toJson(row[column])] as const);
  return {
    attributes: { type: from, url: `/services/data/v64.0/sobjects/${from}/${row['Id']}` },
    ...Object.fromEntries(values),
  };
}

/** Times have their zone as `+0000`; a field without a value is null. */
function toJson(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-.*Z$/.test(value) ? value.replace(/Z$/, '+0000') : (value ?? null);
}

function fail(statusCode: string, message: string): object {
  return { success: false, errors: [{ statusCode, message, fields: [] }] };
}

function refuse(errorCode: string, message: string, status = 400): Reply {
  return { status, body: [{ message, errorCode }] };
}
