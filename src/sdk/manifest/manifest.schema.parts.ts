const headerName = { type: 'string', pattern: '^[a-z0-9-]+$', maxLength: 80 };
const fieldName = { type: 'string', pattern: '^[^.]+(\\.[^.]+)*$', maxLength: 120 };
const secretFrom = {
  type: 'string',
  description: '"generated" by the hub for each connection, or the name of a secret field of the credentials.',
  minLength: 1,
  maxLength: 60,
};
/** Builds the schema of an object. */
export const object = (description: string, required: readonly string[], properties: object) => ({
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

/** Describes `HttpManifest`. */
export const httpSchema = object('Where the plugin sends requests.', [], {
  baseUrl: {
    type: 'string',
    description: 'Address that paths are added to: an https URL, settings.<field> or credentials.<field>.',
    pattern: '^(https://|settings\\.|credentials\\.)[^\\s]+$',
    maxLength: 300,
  },
  hosts: {
    type: 'array',
    description: 'Further hosts: a name, *. and a domain, settings.<field> or credentials.<field>.',
    uniqueItems: true,
    maxItems: 50,
    items: { type: 'string', description: 'A host, without a path.', pattern: '^[^\\s/]+$', maxLength: 260 },
  },
  limits: {
    type: 'array',
    description: 'Limits of the provider.',
    maxItems: 10,
    items: object('At most so many requests within any period.', ['requests', 'perMs'], {
      requests: { type: 'integer', description: 'Maximum number of requests.', minimum: 1, maximum: 100_000_000 },
      perMs: {
        type: 'integer',
        description: 'Length of the period in milliseconds.',
        minimum: 100,
        maximum: 86_400_000,
      },
      atOnce: { type: 'integer', description: 'Requests that may be sent at once. Default: a tenth.', minimum: 1 },
      per: { enum: ['connection', 'operator'], description: 'Whose requests are counted. Default: connection.' },
      paths: {
        type: 'array',
        description: 'Paths that the limit is for; * stands for one segment. Default: all.',
        maxItems: 50,
        items: { type: 'string', description: 'A path.', pattern: '^/', maxLength: 300 },
      },
    }),
  },
  auth: object('How a credential is sent with auth: "connection".', ['credential'], {
    credential: { type: 'string', description: 'A field of the credentials.', minLength: 1, maxLength: 60 },
    header: { ...headerName, description: 'Name of the header, in lower case. Default: authorization.' },
    prefix: { type: 'string', description: 'Text before the value. Default: "Bearer ".', maxLength: 40 },
  }),
});

const plan = { enum: ['starter', 'growth', 'scale'] };

/** Describes `JobManifest`. */
export const jobSchema = object('How a job runs.', [], {
  data: { type: 'object', description: 'JSON Schema of the data, checked by hub.jobs.emit.' },
  attempts: {
    type: 'integer',
    description: 'Attempts before the job becomes a dead letter. Default: 12.',
    minimum: 1,
    maximum: 50,
  },
  backoff: object('The delay before the next attempt.', ['type', 'delayMs'], {
    type: {
      enum: ['fixed', 'exponential'],
      description: 'fixed: the same delay each time. exponential: doubled each time.',
    },
    delayMs: { type: 'integer', description: 'The first delay, in milliseconds.', minimum: 0, maximum: 86_400_000 },
  }),
  timeoutMs: {
    type: 'integer',
    description: 'Time limit of one attempt, in milliseconds. Default: 30000.',
    minimum: 100,
    maximum: 900_000,
  },
  concurrency: {
    type: 'integer',
    description: 'Maximum number of jobs of this name that run at once. Default: 1.',
    minimum: 1,
    maximum: 50,
  },
  everyMs: {
    type: 'integer',
    description: 'Interval of a periodic job, in milliseconds. The job runs once per interval for every connection.',
    minimum: 10_000,
    maximum: 2_678_400_000,
  },
});

const { attempts, backoff, concurrency } = jobSchema.properties as Readonly<Record<string, object>>;

/** Describes `RunManifest`. */
export const runSchema = object('How a run is executed, and how users see it.', ['title'], {
  title: { type: 'string', description: 'What the run does, for users.', minLength: 1, maxLength: 60 },
  input: { type: 'object', description: 'JSON Schema of the input, checked by hub.runs.start.' },
  description: { type: 'string', description: 'What the run changes.', minLength: 1, maxLength: 300 },
  sync: { type: 'boolean', description: 'The run keeps the graph in step with a provider. Default: false.' },
  stepTimeoutMs: {
    type: 'integer',
    description: 'Time limit of a step, in milliseconds. Default: 60000.',
    minimum: 1_000,
    maximum: 900_000,
  },
  attempts: { ...attempts, description: 'Attempts of a step before the run fails. Default: 12.' },
  backoff,
  concurrency: {
    ...concurrency,
    description: 'Maximum number of steps of this name that one process runs at once. Default: 4.',
  },
});

/** Describes `RouteManifest`. */
export const routeSchema = object('A route for users of the hub.', ['method', 'path', 'auth'], {
  method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], description: 'HTTP method.' },
  path: {
    type: 'string',
    description: 'Path below /v2/plugins/<id>/. Segments are words or :parameter.',
    pattern: '^(:?[a-z][A-Za-z0-9_-]*)(/:?[a-z][A-Za-z0-9_-]*)*$',
    maxLength: 200,
  },
  auth: { const: 'workspace', description: 'Requires an API key of the workspace.' },
  summary: { type: 'string', description: 'Short summary for the API reference.', maxLength: 120 },
  scopes: {
    type: 'array',
    description: 'Scopes that the API key must have. Default: read for GET, otherwise write.',
    uniqueItems: true,
    maxItems: 5,
    items: { enum: ['read', 'write', 'settings', 'admin', 'internal'], description: 'A scope.' },
  },
  minPlan: { ...plan, description: 'Lowest plan with access to the route.' },
  query: { type: 'object', description: 'JSON Schema of the query.' },
  body: { type: 'object', description: 'JSON Schema of the body.' },
  response: { type: 'object', description: 'JSON Schema of the body of successful responses.' },
  statuses: {
    type: 'array',
    description: 'Statuses of success. Default: 200.',
    minItems: 1,
    maxItems: 5,
    uniqueItems: true,
    items: { type: 'integer', minimum: 200, maximum: 299, description: 'A status.' },
  },
  upload: object('The body is a file.', ['maxBytes', 'contentTypes'], {
    maxBytes: {
      type: 'integer',
      description: 'Maximum size of the file, in bytes.',
      minimum: 1,
      maximum: 1_000_000_000,
    },
    contentTypes: {
      type: 'array',
      description: 'Accepted media types.',
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', description: 'A media type.', pattern: '^[a-z0-9.+-]+/[a-z0-9.+*-]+$' },
    },
  }),
});

/** Describes `ToolManifest`. */
export const toolSchema = object(
  'Properties of a tool that are known before its code is loaded.',
  ['visibility', 'readOnly', 'idempotent', 'destructive'],
  {
    visibility: {
      enum: ['agent', 'internal'],
      description: 'agent: for every agent. internal: for API keys with the scope internal.',
    },
    readOnly: { type: 'boolean', description: 'The tool changes nothing.' },
    idempotent: { type: 'boolean', description: 'Repeating a call has no further effect.' },
    destructive: { type: 'boolean', description: 'The tool may delete or overwrite data.' },
    minPlan: { ...plan, description: 'Lowest plan with access to the tool.' },
  },
);

/** Describes `ResourceManifest`. */
export const resourceSchema = object(
  'Properties of a resource or prompt that are known before its code is loaded.',
  [],
  {
    minPlan: { ...plan, description: 'Lowest plan with access to it.' },
  },
);

/** Describes `PanelManifest`. */
export const panelSchema = object('A panel of the console.', ['slot', 'kind', 'title', 'source'], {
  slot: { enum: ['integration', 'contact'], description: 'The page that shows the panel.' },
  kind: { enum: ['form', 'badge', 'table'], description: 'The kind of panel.' },
  title: { type: 'string', description: 'The heading of the panel.', minLength: 1, maxLength: 60 },
  source: { type: 'string', description: 'Name of the GET route of this plugin that returns the data.', maxLength: 40 },
});
