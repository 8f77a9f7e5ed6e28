import type { ApiClient } from '../api/api-client.js';
import { CliError } from '../base/exit.js';
import { type DoctorCheck, failed, ok, skipped } from './check.js';

const LIST_TOOLS_REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Lists the tools of the MCP endpoint, as an agent does. */
export async function checkMcp(hub: ApiClient): Promise<DoctorCheck> {
  if (hub.settings.apiKey === undefined) return skipped('mcp', 'no key');
  const headers = { accept: 'application/json, text/event-stream' };
  const ask = { body: LIST_TOOLS_REQUEST, headers, readsOnly: true, attempts: 1 };
  const answer = await hub.send('POST', '/mcp', ask).catch((error: unknown) => error as CliError);
  if (answer instanceof Error) return failed('mcp', answer.message, 'The hub does not respond at /mcp.');
  const { result } = (answer.body ?? {}) as { result?: { tools?: readonly unknown[] } };
  const tools = result?.tools?.length;
  if (tools !== undefined) return ok('mcp', `${hub.settings.baseUrl}/mcp lists ${tools} tools`);
  if (answer.status === 401) return skipped('mcp', 'the key is refused');
  return failed('mcp', `/mcp responds with status ${answer.status}`, 'Check whether a proxy blocks POST requests.');
}
