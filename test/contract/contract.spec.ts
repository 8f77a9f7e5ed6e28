import { readFileSync, writeFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorTable } from '#kernel/errors/error-table.js';
import { buildOpenApiDocument } from '#kernel/http/openapi/openapi-document.js';
import { findUndocumentedRoutes, getRoutes } from '#kernel/http/openapi/routes.js';
import { INSTRUCTIONS } from '#kernel/mcp/server-info.js';
import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { documentAt } from '../support/open-api.js';
import { startTestHub, type TestHub } from '../support/hub.js';
import { brokenInDocument, brokenInErrors, brokenInTools, type Tool } from './promises.js';

/**
 * Run with UPDATE_CONTRACT=1 to write the snapshots anew. What breaks a promise is written only with
 * UPDATE_CONTRACT=breaking: nobody breaks one without having said so.
 */
const updating = process.env['UPDATE_CONTRACT'];

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.end());

function expectSnapshot<T>(name: string, value: T, broken: (before: T, after: T) => string[]): void {
  const file = new URL(`./${name}.json`, import.meta.url);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const before = JSON.parse(readFileSync(file, 'utf8')) as T;
  if (updating !== 'breaking') expect(broken(before, JSON.parse(text) as T)).toEqual([]);
  if (updating) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

describe('what clients rely on', () => {
  it('is the OpenAPI document', async () => expectSnapshot('openapi', await documentAt(hub.url), brokenInDocument));

  it('is the list of tools', () => {
    const tools = hub.app.get(ToolRegistry, { strict: false });
    const listed = tools.list({ plan: 'scale', scopes: ['read', 'write', 'admin', 'internal'] });
    expectSnapshot('tools', listed as readonly Tool[], brokenInTools);
  });

  it('is what the instructions speak of: tools that exist, and fields of them', () => {
    const tools = JSON.stringify(
      hub.app.get(ToolRegistry, { strict: false }).list({ plan: 'starter', scopes: ['read', 'write'] }),
    );
    const named = INSTRUCTIONS.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    expect(named).toContain('get_context');
    // An ambiguous answer of any tool has it, so no schema repeats it.
    expect(named.filter(name => !tools.includes(`"${name}"`))).toEqual(['next_call']);
  });

  it('is the table of errors', () => {
    const statuses = Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status]));
    expectSnapshot<Record<string, number>>('errors', statuses, brokenInErrors);
  });

  it('describes every route', () => {
    expect(
      findUndocumentedRoutes(buildOpenApiDocument(hub.app), getRoutes(hub.app.getHttpAdapter().getInstance())),
    ).toEqual([]);
  });
});

describe('a path and a method', () => {
  it('that do not exist return 405 with those that do; unauthenticated clients get 401', async () => {
    const { key } = await hub.workspace();
    const routes = getRoutes(hub.app.getHttpAdapter().getInstance()).filter(({ path }) => path.startsWith('/v2/'));
    const paths = [...new Set(routes.map(({ path }) => path))].filter(path => !path.includes('*'));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const known = routes.filter(route => path === route.path).map(({ method }) => method);
      const method = ['PUT', 'DELETE', 'PATCH', 'POST', 'GET'].find(each => !known.includes(each))!;
      const address = hub.url + path.replaceAll(/:\w+/g, 'x');
      const answer = await fetch(address, { method, headers: { authorization: `Bearer ${key}` } });
      const allowed = answer.headers.get('allow')?.split(', ') ?? [];
      expect({ path, status: answer.status, allowed }).toEqual({ path, status: 405, allowed: allowed.toSorted() });
      expect(allowed).toEqual(expect.arrayContaining(known));
      expect(allowed).not.toContain(method);
      expect((await fetch(address, { method })).status).toBe(401);
    }
    const nowhere = await fetch(`${hub.url}/v2/nowhere`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}` },
    });
    expect([nowhere.status, nowhere.headers.get('allow')]).toEqual([404, null]);
  });

  it('of HEAD and OPTIONS are what they are for GET, or what a browser asks', async () => {
    const { key } = await hub.workspace();
    const ask = async (method: string, path: string) => {
      const { status, headers } = await fetch(hub.url + path, { method, headers: { authorization: `Bearer ${key}` } });
      return [status, headers.get('allow')];
    };
    expect(await ask('HEAD', '/v2/people')).toEqual([200, null]);
    expect(await ask('HEAD', '/v2/observations')).toEqual([405, 'POST']);
    expect(await ask('OPTIONS', '/v2/observations')).toEqual([204, null]);
    expect(await ask('HEAD', '/v2/nowhere')).toEqual([404, null]);
  });
});

describe('one rule over REST and MCP', () => {
  type Schema = { enum?: string[]; maxLength?: number; maxItems?: number; minItems?: number };
  type Properties = Record<string, Schema & { items?: { properties: Properties } }>;

  const propertiesOf = (document: OpenAPIObject, name: string) =>
    (document.components!.schemas![name] as { properties: Properties }).properties;

  it('bounds observations alike over REST and MCP', () => {
    const document = buildOpenApiDocument(hub.app);
    const rest = propertiesOf(document, 'Observation');
    const tools = hub.app.get(ToolRegistry, { strict: false }).list({ plan: 'scale', scopes: ['read', 'write'] });
    const record = tools.find(({ name }) => name === 'record')!.inputSchema as { properties: Properties };
    const mcp = record.properties['observations']!.items!.properties;
    expect(Object.keys(mcp).toSorted()).toEqual([...Object.keys(rest), 'evidence'].toSorted());
    for (const field of ['source', 'method', 'external_id']) expect(mcp[field]!.maxLength).toBe(rest[field]!.maxLength);
    expect(mcp['kind']!.enum).toEqual(rest['kind']!.enum);
    const list = propertiesOf(document, 'RecordObservationsRequest')['observations']!;
    expect(record.properties['observations']).toMatchObject({ minItems: list.minItems, maxItems: list.maxItems });
  });
});
