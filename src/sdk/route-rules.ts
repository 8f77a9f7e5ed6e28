import type { RouteResponse } from './deliveries.js';
import type { Json, JsonSchema } from './schema.js';

const REDIRECT = /^(?:https?:\/\/|\/(?!\/))/;
const FIELDS = new Set(['status', 'body', 'file', 'fileName', 'redirect']);

/**
 * Checks what a route returned, in the hub as in the test harness.
 * @returns an empty response for null and undefined
 * @throws TypeError with a message that says how to fix it
 */
export function parseRouteResponse(returned: unknown): RouteResponse {
  if (returned === undefined || returned === null) return {};
  if (typeof returned !== 'object') throw new TypeError('a plugin route must return an object, null or undefined');
  const { status, body, file, fileName, redirect } = returned as RouteResponse;
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new TypeError(
      `a plugin route returned the status ${String(status)}, which is not an integer from 200 to 599`,
    );
  }
  if ([body, file, redirect].filter(each => each !== undefined).length > 1) {
    throw new TypeError('a plugin route returned more than one of body, file and redirect');
  }
  if (![file, fileName, redirect].every(each => each === undefined || typeof each === 'string')) {
    throw new TypeError('file, fileName and redirect of a plugin route must be strings');
  }
  if (redirect !== undefined && !REDIRECT.test(redirect)) {
    throw new TypeError('the redirect of a plugin route must be an http or https URL, or a path of the hub');
  }
  const unknown = Object.keys(returned).filter(field => !FIELDS.has(field));
  if (unknown.length > 0) throw new TypeError(`a plugin route returned ${unknown.join(', ')}: put it into "body"`);
  return returned;
}

/** Returns the status of a response: its own, or that of its kind. */
export function resolveStatus({ status, body, file, redirect }: RouteResponse): number {
  if (status !== undefined) return status;
  if (redirect !== undefined) return 303;
  return body === undefined && file === undefined ? 204 : 200;
}

/** Returns the body that a route receives: a request without one has `{}`, if the route declares a schema for it. */
export function resolveBody(schema: JsonSchema | undefined, body: Json | undefined): Json | undefined {
  return schema !== undefined && body === undefined ? {} : body;
}
