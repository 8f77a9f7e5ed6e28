import type { ApiPropertyOptions } from '@nestjs/swagger';

/** Describes a field that names an entity by a text or an object. @param description what the field names. */
export function focusProperty(description: string, maxLength = 320): ApiPropertyOptions {
  return {
    description:
      `${description} Also a phone number (\`tel:+4930123456\` or \`{"phone": …}\`) or the ID of another system ` +
      '(`external:hubspot:501` or `{"external": {"system", "id"}}`).',
    example: 'ada@acme.com',
    oneOf: [
      { type: 'string', maxLength },
      {
        type: 'object',
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
        properties: { external: externalId, phone },
      },
    ],
  };
}

const externalId = {
  type: 'object',
  description: 'ID that the entity has in another system, such as a CRM.',
  required: ['system', 'id'],
  additionalProperties: false,
  properties: {
    system: {
      type: 'string',
      maxLength: 64,
      pattern: '^[a-z][a-z0-9_.-]*$',
      description: 'Name of the system in lower case, such as `hubspot`.',
    },
    id: { type: 'string', maxLength: 320, description: 'ID of the record in that system; case-sensitive.' },
    type: {
      type: 'string',
      enum: ['person', 'company'],
      default: 'person',
      description: 'Type of the record, which a write creates if nobody has the ID.',
    },
  },
};

const phone = {
  type: 'string',
  maxLength: 64,
  description: 'Phone number. Without a country code it belongs to `default_country` of the workspace profile.',
};
