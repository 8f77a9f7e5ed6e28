import { readFileSync, writeFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorTable } from '#kernel/errors/error-table.js';
import { documentOf } from '#kernel/http/openapi.js';
import { missingFrom, routesOf } from '#kernel/http/openapi/routes.js';
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

  it('is the table of errors', () => {
    const statuses = Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status]));
    expectSnapshot<Record<string, number>>('errors', statuses, brokenInErrors);
  });

  it('describes every route', () => {
    expect(missingFrom(documentOf(hub.app), routesOf(hub.app.getHttpAdapter().getInstance()))).toEqual([]);
  });
});

describe('one rule at both doors', () => {
  type Schema = { enum?: string[]; maxLength?: number; maxItems?: number; minItems?: number };
  type Properties = Record<string, Schema & { items?: { properties: Properties } }>;

  const propertiesOf = (document: OpenAPIObject, name: string) =>
    (document.components!.schemas![name] as { properties: Properties }).properties;

  it('bounds observations alike over REST and MCP', () => {
    const document = documentOf(hub.app);
    const rest = propertiesOf(document, 'ObservationDto');
    const tools = hub.app.get(ToolRegistry, { strict: false }).list({ plan: 'scale', scopes: ['read', 'write'] });
    const record = tools.find(({ name }) => name === 'record')!.inputSchema as { properties: Properties };
    const mcp = record.properties['observations']!.items!.properties;
    expect(Object.keys(mcp).toSorted()).toEqual([...Object.keys(rest), 'evidence'].toSorted());
    for (const field of ['source', 'method', 'external_id']) expect(mcp[field]!.maxLength).toBe(rest[field]!.maxLength);
    expect(mcp['kind']!.enum).toEqual(rest['kind']!.enum);
    const list = propertiesOf(document, 'RecordObservationsDto')['observations']!;
    expect(record.properties['observations']).toMatchObject({ minItems: list.minItems, maxItems: list.maxItems });
  });
});
