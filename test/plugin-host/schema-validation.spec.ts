import { PermanentError } from '#sdk/errors.js';
import { requireValid } from '#plugin-host/schema-validation.js';

describe('requireValid', () => {
  const schema = {
    type: 'object',
    required: ['email', 'days'],
    properties: { email: { type: 'string' }, days: { default: 7 } },
  };

  it('accepts what fits, with the defaults of the schema, and everything without a schema', () => {
    const value = { email: 'ada@acme.io' };
    requireValid('The data', schema, value);
    requireValid('The data', undefined, 7);
    expect(value).toEqual({ email: 'ada@acme.io' });
  });

  it('names the value and the field, and no retry helps', () => {
    const check = () => requireValid('The data of the job "call"', schema, { email: 5 });
    expect(check).toThrow(PermanentError);
    expect(check).toThrow('The data of the job "call" does not fit its schema: /email must be string.');
  });
});
