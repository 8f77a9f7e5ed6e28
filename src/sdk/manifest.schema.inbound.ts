const headerName = { type: 'string', pattern: '^[a-z0-9-]+$', maxLength: 80 };
const fieldName = { type: 'string', pattern: '^[^.]+(\\.[^.]+)*$', maxLength: 120 };
const secretFrom = {
  type: 'string',
  description: '"generated" by the hub for each connection, or the name of a secret field of the credentials.',
  minLength: 1,
  maxLength: 60,
};
const object = (description: string, required: readonly string[], properties: object) => ({
  type: 'object',
  description,
  additionalProperties: false,
  required,
  properties,
});

const hmac = object('An HMAC in a format of the provider.', ['algorithm', 'header', 'secretFrom'], {
  algorithm: { enum: ['hmac-sha256', 'hmac-sha1', 'hmac-sha512'], description: 'The hash algorithm.' },
  header: { ...headerName, description: 'The header with the signature, in lower case.' },
  encoding: { enum: ['hex', 'base64'], description: 'Encoding of the signature. Default: hex.' },
  prefix: { type: 'string', description: 'Text before the signature in the header.', maxLength: 40 },
  secretFrom,
  signed: {
    type: 'string',
    description: 'Template of the signed text, with {body} and {timestamp}. Default: {body}.',
    pattern: '\\{body\\}',
    maxLength: 120,
  },
  timestampHeader: { ...headerName, description: 'The header with the time in seconds since 1970, in lower case.' },
  toleranceSeconds: {
    type: 'integer',
    description: 'Maximum difference between that time and now, in seconds. Default: 300.',
    minimum: 1,
    maximum: 86_400,
  },
});

const standard = object('The scheme of standardwebhooks.com.', ['algorithm', 'secretFrom'], {
  algorithm: { const: 'standard-webhooks', description: 'The Standard Webhooks scheme.' },
  secretFrom,
});

const getHandshake = object('A GET request with a query parameter to echo.', ['method', 'echo'], {
  method: { const: 'GET', description: 'GET.' },
  echo: { type: 'string', description: 'The query parameter to echo.', maxLength: 80 },
});

const postHandshake = object('A POST request with a field to echo.', ['method', 'when', 'echo'], {
  method: { const: 'POST', description: 'POST.' },
  when: object('Distinguishes the handshake from an event.', ['field', 'equals'], {
    field: { ...fieldName, description: 'A field of the body; a.b is a nested field.' },
    equals: { type: 'string', description: 'The value of the field in a handshake.', maxLength: 120 },
  }),
  echo: { ...fieldName, description: 'The field to echo.' },
});

/** Describes `InboundManifest`. */
export const inboundSchema = object('A webhook of the provider.', ['signature'], {
  signature: {
    description: 'How the provider signs its webhooks; null if it does not sign them.',
    oneOf: [hmac, standard, { type: 'null', description: 'The provider does not sign its webhooks.' }],
  },
  handshake: {
    description: 'Verification request that the provider sends first.',
    oneOf: [getHandshake, postHandshake],
  },
  eventId: {
    description: 'Location of the delivery ID. Default: the SHA-256 of the body.',
    oneOf: [
      object('In a header.', ['header'], {
        header: { ...headerName, description: 'The name of the header, in lower case.' },
      }),
      object('In the body.', ['field'], { field: { ...fieldName, description: 'The field; a.b is a nested field.' } }),
    ],
  },
});
