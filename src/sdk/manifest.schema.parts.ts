const plan = { enum: ['starter', 'growth', 'scale'] };
const object = (description: string, required: readonly string[], properties: object) => ({
  type: 'object',
  description,
  additionalProperties: false,
  required,
  properties,
});

/** Of `JobManifest`. */
export const jobSchema = object('How a job runs.', [], {
  attempts: { type: 'integer', description: 'Tries before it is parked. Default: 12.', minimum: 1, maximum: 50 },
  backoff: object('The pause before the next try.', ['type', 'delayMs'], {
    type: { enum: ['fixed', 'exponential'], description: 'The same each time, or doubled each time.' },
    delayMs: { type: 'integer', description: 'The first pause, in milliseconds.', minimum: 0, maximum: 86_400_000 },
  }),
  timeoutMs: {
    type: 'integer',
    description: 'When the signal aborts and the try has failed, in milliseconds. Default: 30000.',
    minimum: 100,
    maximum: 900_000,
  },
  concurrency: { type: 'integer', description: 'How many run at once. Default: 1.', minimum: 1, maximum: 50 },
  everyMs: {
    type: 'integer',
    description: 'Runs by itself once in this many milliseconds for every connection.',
    minimum: 10_000,
    maximum: 2_678_400_000,
  },
});

/** Of `RouteManifest`. */
export const routeSchema = object('A route for users of the hub.', ['method', 'path', 'auth'], {
  method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], description: 'HTTP method.' },
  path: {
    type: 'string',
    description: 'Below /v2/plugins/<id>/; segments are words or :parameter.',
    pattern: '^(:?[a-z][A-Za-z0-9_-]*)(/:?[a-z][A-Za-z0-9_-]*)*$',
    maxLength: 200,
  },
  auth: { const: 'workspace', description: 'Whoever has an API key of the workspace.' },
  summary: { type: 'string', description: 'A few words for the API reference.', maxLength: 120 },
  scopes: {
    type: 'array',
    description: 'Scopes that the API key must hold. Default: read for GET, else write.',
    uniqueItems: true,
    maxItems: 4,
    items: { enum: ['read', 'write', 'admin', 'internal'], description: 'A scope.' },
  },
  minPlan: { ...plan, description: 'Lowest plan that sees the route.' },
  query: { type: 'object', description: 'JSON Schema of the query.' },
  body: { type: 'object', description: 'JSON Schema of the body.' },
  upload: object('The body is a file.', ['maxBytes', 'contentTypes'], {
    maxBytes: { type: 'integer', description: 'Most bytes that are taken.', minimum: 1, maximum: 1_000_000_000 },
    contentTypes: {
      type: 'array',
      description: 'Media types that are taken.',
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', description: 'A media type.', pattern: '^[a-z0-9.+-]+/[a-z0-9.+*-]+$' },
    },
  }),
});

/** Of `ToolManifest`. */
export const toolSchema = object(
  'What is known of a tool before its code is.',
  ['visibility', 'readOnly', 'idempotent', 'destructive'],
  {
    visibility: { enum: ['agent', 'internal'], description: 'For every agent, or for keys with the scope internal.' },
    readOnly: { type: 'boolean', description: 'It changes nothing.' },
    idempotent: { type: 'boolean', description: 'Sent twice it leaves the same as sent once.' },
    destructive: { type: 'boolean', description: 'It may take something away.' },
    minPlan: { ...plan, description: 'Lowest plan that sees the tool.' },
  },
);

/** Of `OfferManifest`. */
export const resourceSchema = object('What is known of a resource or a prompt before its code is.', [], {
  minPlan: { ...plan, description: 'Lowest plan that sees it.' },
});

/** Of `PanelManifest`. */
export const panelSchema = object('A piece of the console.', ['slot', 'kind', 'title', 'source'], {
  slot: { enum: ['integration', 'contact'], description: 'Where it stands.' },
  kind: { enum: ['form', 'badge', 'table'], description: 'How it is drawn.' },
  title: { type: 'string', description: 'Its heading.', minLength: 1, maxLength: 60 },
  source: { type: 'string', description: 'Name of a GET route of this plugin that answers its data.', maxLength: 40 },
});
