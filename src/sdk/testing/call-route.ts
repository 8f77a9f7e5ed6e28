import { Readable } from 'node:stream';
import type { RouteResponse, RouteRequest } from '../deliveries.js';
import type { PluginHandler } from '../handlers.js';
import type { Json } from '../schema.js';
import type { RouteManifest } from '../manifest/manifest.js';
import type { ToolScope } from '../tool.js';
import type { TestCallContext } from './call-tool.js';
import { parseRouteResponse, resolveBody, resolveStatus } from '../route-rules.js';
import { isPlanIncluded } from './plan.js';
import { parseWithSchema } from './schemas.js';

/**
 * Parameters of a call to a route.
 * @example await hub.route('import', { upload: { contentType: 'text/csv', text: 'email\nada@acme.io\n' } })
 */
export interface RouteCallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly upload?: {
    readonly contentType: string;
    readonly fileName?: string;
    readonly text: string | Uint8Array;
    /** Fields of the form before the file. Default: none. */
    readonly fields?: Readonly<Record<string, string>>;
  };
  /** Scopes of the API key. Default: read, write and settings. */
  readonly scopes?: readonly ToolScope[];
}

/**
 * Response of a route.
 * @example expect(await hub.route('call', { params: { id: 'c-1' } })).toMatchObject({ status: 200 });
 */
export interface TestRouteResponse {
  readonly status: number;
  readonly body: Json | undefined;
  /** ID of the file that is sent; `hub.files.text(id)` returns its content. */
  readonly file?: string;
  readonly fileName?: string;
  readonly redirect?: string;
}

/** Calls a route as the hub does: checks plan, scopes and schemas, calls the handler and converts its response. */
export async function callRoute(
  { manifest, environment, plan }: TestCallContext,
  routes: readonly PluginHandler[],
  name: string,
  { params = {}, query = {}, body: input, upload, scopes = ['read', 'write', 'settings'] }: RouteCallOptions,
): Promise<TestRouteResponse> {
  const route = manifest.routes?.[name];
  const handler = routes.find(candidate => candidate.name === name);
  if (!route || !handler) throw new Error(`The plugin has no route "${name}".`);
  if (!isPlanIncluded(plan, route.minPlan ?? manifest.minPlan)) return toErrorResponse(404, 'not_found');
  const required = route.scopes ?? [route.method === 'GET' ? 'read' : 'write'];
  if (!required.every(scope => scopes.includes(scope))) return toErrorResponse(403, 'forbidden_scope');
  const body = resolveBody(route.body, input);
  const problems = [
    ...(route.query ? findProblems(route.query, query) : []),
    ...(route.body ? findProblems(route.body, body ?? null) : []),
  ];
  if (problems.length > 0) return { status: 400, body: { error: 'invalid_request', details: problems } };
  if (route.upload && !(upload && route.upload.contentTypes.includes(upload.contentType))) {
    return toErrorResponse(415, 'unsupported_media_type');
  }
  const sent = upload && Buffer.from(upload.text);
  if (route.upload && sent && sent.length > route.upload.maxBytes) return toErrorResponse(413, 'too_large');
  const file = upload &&
    sent && {
      contentType: upload.contentType,
      fields: upload.fields ?? {},
      stream: Readable.from([sent]),
    };
  const request: RouteRequest = {
    method: route.method,
    params,
    query,
    body,
    caller: { plan, scopes },
    ...(file && { upload: { ...file, ...(upload.fileName && { fileName: upload.fileName }) } }),
  };
  if (environment.isDisconnected) return toErrorResponse(409, 'not_connected');
  const returned = await environment.runOnce(() => handler.call(request, environment.context()));
  const wire = toWireResponse(parseRouteResponse(returned));
  if (wire.file !== undefined && !(await environment.files.info(wire.file))) {
    throw new Error(`The route "${name}" returned the file ${wire.file}, which does not exist.`);
  }
  assertDeclaredResponse(name, route, wire);
  return wire;
}

/** Checks a successful response against the manifest. @throws Error that names the differences. */
function assertDeclaredResponse(name: string, route: RouteManifest, { status, body }: TestRouteResponse): void {
  if (status >= 300 || !route.response) return;
  const { statuses = [200] } = route;
  if (!statuses.includes(status)) {
    throw new Error(`The route "${name}" returned ${status}; its manifest declares ${statuses.join(', ')}.`);
  }
  const problems = findProblems(route.response, body ?? null);
  if (problems.length > 0) {
    throw new Error(`The response of the route "${name}" differs from its manifest: ${problems.join('; ')}`);
  }
}

function findProblems(schema: Parameters<typeof parseWithSchema>[0], value: unknown): readonly string[] {
  const parsed = parseWithSchema(schema, value);
  return 'problems' in parsed ? parsed.problems : [];
}

function toErrorResponse(status: number, error: string): TestRouteResponse {
  return { status, body: { error } };
}

/** Serializes the body to JSON and back, as the hub does. */
function toWireResponse(response: RouteResponse): TestRouteResponse {
  const { body, file, fileName, redirect } = response;
  const text = body === undefined ? undefined : JSON.stringify(body);
  return {
    status: resolveStatus(response),
    body: text === undefined ? undefined : (JSON.parse(text) as Json),
    ...(file !== undefined && { file }),
    ...(fileName !== undefined && { fileName }),
    ...(redirect !== undefined && { redirect }),
  };
}
