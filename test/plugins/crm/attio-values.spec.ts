import { toCrmField, toCrmRecord, toWriteBody } from '../../../plugins/crm/src/adapters/attio/attio-values.js';

const at = (day: number) => `2026-03-0${day}T09:00:00.123456789Z`;
const entry = (attribute_type: string, day: number, parts: object) => ({
  attribute_type,
  active_from: at(day),
  ...parts,
});

describe('a record of Attio', () => {
  const row = {
    id: { record_id: 'r1' },
    created_at: at(1),
    values: {
      name: [entry('personal-name', 1, { full_name: 'Ada Byron' })],
      email_addresses: [entry('email-address', 1, { email_address: 'ADA@acme.example' })],
      phone_numbers: [
        entry('phone-number', 1, { phone_number: '+491' }),
        entry('phone-number', 1, { phone_number: '+492' }),
      ],
      job_title: [entry('text', 3, { value: 'CFO' })],
      tags: [entry('select', 1, { option: { title: 'Gold' } }), entry('select', 1, { option: { title: 'Silver' } })],
      value: [entry('currency', 1, { currency_value: 500, currency_code: 'EUR' })],
      is_customer: [entry('checkbox', 1, { value: false })],
      last_call: [entry('interaction', 5, { interacted_at: at(5) })],
    },
  };

  it('has its values as texts, and the time of the newest of those that are read', () => {
    const fields = ['job_title', 'phone_numbers', 'tags', 'value', 'is_customer', 'unknown'];
    expect(toCrmRecord(row as never, fields)).toMatchObject({
      id: 'r1',
      updatedAt: '2026-03-03T09:00:00.123Z',
      name: 'Ada Byron',
      emails: ['ada@acme.example'],
      values: {
        job_title: 'CFO',
        phone_numbers: '+491',
        tags: 'Gold;Silver',
        value: '500',
        is_customer: 'false',
        unknown: null,
      },
    });
  });

  it('is written in the types of its attributes, and keeps further phone numbers', () => {
    const fields = new Map(
      [
        { api_slug: 'job_title', type: 'text', is_multiselect: false },
        { api_slug: 'employees', type: 'number', is_multiselect: false },
        { api_slug: 'phone_numbers', type: 'phone-number', is_multiselect: true },
      ].map(attribute => [attribute.api_slug, toCrmField(attribute)]),
    );
    const values = { job_title: 'CIO', employees: '120', phone_numbers: '+493' };
    expect(toWriteBody(values, fields, row as never)).toEqual({
      data: { values: { job_title: 'CIO', employees: 120, phone_numbers: ['+493', '+492'] } },
    });
  });
});

describe('an attribute of Attio', () => {
  it.each([
    ['text', false, true, false],
    ['text', true, true, true],
    ['text', false, false, true],
    ['phone-number', true, true, false],
    ['select', false, true, true],
    ['currency', false, true, true],
  ])(
    'of the type %s, several values %s, writable %s is read only: %s',
    (type, is_multiselect, is_writable, isReadOnly) => {
      expect(toCrmField({ api_slug: 'a', type, is_multiselect, is_writable })).toMatchObject({ isReadOnly });
    },
  );
});
