const plan = { enum: ['starter', 'growth', 'scale'] };
const object = (description: string, required: readonly string[], properties: object) => ({
  type: 'object',
  description,
  additionalProperties: false,
  required,
  properties,
});

/** Describes `JobManifest`. */
export const jobSchema = object('How a job runs.', [], {
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
