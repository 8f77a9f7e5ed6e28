import { toCrmField, toCrmRecord, toUpdateBody } from '../../../plugins/crm/src/adapters/pipedrive/pipedrive-values.js';

const TIER = 'a'.repeat(40);
const AMOUNT = 'b'.repeat(40);
const TAGS = 'c'.repeat(40);

describe('a record of Pipedrive', () => {
  it('has its values as texts, custom fields among them, and the main address first', () => {
    const row = {
      id: 501,
      name: 'Ada Byron',
      update_time: '2026-03-01T09:00:00Z',
      emails: [
        { value: 'ADA@home.example', primary: false },
        { value: 'ada@acme.example', primary: true },
      ],
      phones: [{ value: '+4930901820', primary: true }],
      owner_id: 9,
      org_id: null,
      custom_fields: { [TIER]: 41, [AMOUNT]: { value: 500, currency: 'EUR' }, [TAGS]: [3, 5] },
    };
    const fields = ['phones', 'owner_id', 'org_id', TIER, AMOUNT, TAGS, 'unknown'];
    expect(toCrmRecord(row, fields)).toMatchObject({
      id: '501',
      updatedAt: '2026-03-01T09:00:00.000Z',
      emails: ['ada@acme.example', 'ada@home.example'],
      values: {
        phones: '+4930901820',
        owner_id: '9',
        org_id: null,
        [TIER]: '41',
        [AMOUNT]: '500',
        [TAGS]: '3;5',
        unknown: null,
      },
    });
  });

  it.each([
    ['https://www.acme.example/about', 'acme.example'],
    ['acme.example', 'acme.example'],
    ['not a website', null],
  ])('has the domain of the website %s', (website, domain) => {
    expect(toCrmRecord({ id: 1, update_time: '', website }, []).domain).toBe(domain);
  });
});

describe('the body that writes to Pipedrive', () => {
  const fields = new Map(
    [
      toCrmField('contacts', {
        field_code: TIER,
        field_type: 'enum',
        is_custom_field: true,
        options: [{ id: 41, label: 'Gold' }],
      }),
      toCrmField('contacts', { field_code: TAGS, field_type: 'set', is_custom_field: true, options: [] }),
    ].map(field => [field.name, field]),
  );

  it('has values in the types of their fields, and custom fields apart', () => {
    expect(toUpdateBody({ job_title: 'CIO', [TIER]: '41', [TAGS]: '3;5' }, fields)).toEqual({
      job_title: 'CIO',
      custom_fields: { [TIER]: 41, [TAGS]: [3, 5] },
    });
  });

  it('replaces the main phone number, and leaves the others', () => {
    const phones = [
      { value: '+491', primary: true, label: 'work' },
      { value: '+492', primary: false, label: 'home' },
    ];
    expect(toUpdateBody({ phones: '+493' }, fields, phones)).toEqual({
      phones: [
        { value: '+493', primary: true, label: 'work' },
        { value: '+492', primary: false, label: 'home' },
      ],
    });
  });
});

describe('a field of Pipedrive', () => {
  it.each([
    ['job_title', 'varchar', false, false],
    ['add_time', 'date', false, true],
    [TIER, 'enum', true, false],
    [AMOUNT, 'monetary', true, true],
  ])(
    '%s of the type %s is written only where that is possible',
    (field_code, field_type, is_custom_field, isReadOnly) => {
      expect(toCrmField('contacts', { field_code, field_type, is_custom_field })).toMatchObject({ isReadOnly });
    },
  );

  it('of phone numbers is called as in the records', () => {
    expect(toCrmField('contacts', { field_code: 'phone', field_type: 'phone' }).name).toBe('phones');
  });
});
