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

const hmac = object("A keyed hash of the provider's own making.", ['algorithm', 'header', 'secretFrom'], {
  algorithm: { enum: ['hmac-sha256', 'hmac-sha1', 'hmac-sha512'], description: 'The hash.' },
  header: { ...headerName, description: 'The header that carries it, in lower case.' },
  encoding: { enum: ['hex', 'base64'], description: 'How it is written. Default: hex.' },
  prefix: { type: 'string', description: 'What stands before it in the header.', maxLength: 40 },
  secretFrom,
  signed: {
    type: 'string',
    description: 'What is signed, with {body} and {timestamp} filled in. Default: {body}.',
    pattern: '\\{body\\}',
    maxLength: 120,
  },
  timestampHeader: { ...headerName, description: 'The header with the seconds since 1970, in lower case.' },
  toleranceSeconds: {
    type: 'integer',
    description: 'How far that time may be away from now. Default: 300.',
    minimum: 1,
    maximum: 86_400,
  },
});

const standard = object('The scheme of standardwebhooks.com.', ['algorithm', 'secretFrom'], {
  algorithm: { const: 'standard-webhooks', description: 'The whole scheme.' },
  secretFrom,
});

const getHandshake = object('A GET whose query parameter is echoed.', ['method', 'echo'], {
  method: { const: 'GET', description: 'GET.' },
  echo: { type: 'string', description: 'The query parameter that is echoed.', maxLength: 80 },
});

const postHandshake = object('A POST in which a field is echoed.', ['method', 'when', 'echo'], {
  method: { const: 'POST', description: 'POST.' },
  when: object('What tells it from an event.', ['field', 'equals'], {
    field: { ...fieldName, description: 'A field of the body; a.b goes down.' },
    equals: { type: 'string', description: 'Its value.', maxLength: 120 },
  }),
  echo: { ...fieldName, description: 'The field that is echoed.' },
});

/** Of `InboundManifest`. */
export const inboundSchema = object('A webhook of the provider.', ['signature'], {
  signature: {
    description: 'How the provider proves that it is the sender; null when it cannot.',
    oneOf: [hmac, standard, { type: 'null', description: 'It cannot.' }],
  },
  handshake: { description: 'What the provider asks before it sends.', oneOf: [getHandshake, postHandshake] },
  eventId: {
    description: 'Where the id of a delivery stands. Default: the SHA-256 of the body.',
    oneOf: [
      object('In a header.', ['header'], { header: { ...headerName, description: 'Its name, in lower case.' } }),
      object('In the body.', ['field'], { field: { ...fieldName, description: 'The field; a.b goes down.' } }),
    ],
  },
});
