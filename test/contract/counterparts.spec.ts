import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { startTestHub, type TestHub } from '../support/hub.js';
import { type Document, documentAt, jsonOf, operationsIn, type Schema } from '../support/open-api.js';

/** Tools and the operations that they share a service with. */
const COUNTERPARTS = [
  ['save_note', 'saveNote'],
  ['search_notes', 'searchNotes'],
  ['set_workspace_profile', 'setWorkspaceProfile'],
  ['build_icp_model', 'buildIcpModel'],
  ['connect_integration', 'connectIntegration'],
  ['configure_crm_sync', 'configureCrmSync'],
  ['set_trigger', 'setTrigger'],
] as const;

const LIMITS = ['maxLength', 'minimum', 'maxItems', 'enum'] as const;

let hub: TestHub;
let document: Document;
beforeAll(async () => {
  hub = await startTestHub();
  document = await documentAt(hub.url);
});
afterAll(() => hub.end());

function fieldsOfOperation(id: string): Record<string, Schema> {
  const operation = operationsIn(document).find(({ operationId }) => operationId === id)!;
  const schema = jsonOf(operation.requestBody)!.schema!;
  const name = String(schema['$ref'] ?? '')
    .split('/')
    .at(-1)!;
  return (document.components.schemas[name] ?? schema)['properties'] as Record<string, Schema>;
}

function fieldsOfTool(name: string): Record<string, Schema> {
  const scopes = ['read', 'write', 'internal'];
  const tools = hub.app.get(ToolRegistry, { strict: false }).list({ plan: 'scale', scopes });
  return tools.find(tool => tool.name === name)!.inputSchema['properties'] as Record<string, Schema>;
}

it.each(COUNTERPARTS)('%s and %s have the same limits and words', (tool, operation) => {
  const rest = fieldsOfOperation(operation);
  const differences = Object.entries(fieldsOfTool(tool)).flatMap(([field, own]) => {
    const counterpart = rest[field.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)];
    if (!counterpart) return [];
    return LIMITS.filter(limit => own[limit] !== undefined && counterpart[limit] !== undefined)
      .filter(limit => JSON.stringify(own[limit]) !== JSON.stringify(counterpart[limit]))
      .map(limit => `${field} ${limit}: ${JSON.stringify(own[limit])} and ${JSON.stringify(counterpart[limit])}`);
  });
  expect(differences).toEqual([]);
  expect(Object.keys(fieldsOfTool(tool)).some(field => field in rest)).toBe(true);
});
