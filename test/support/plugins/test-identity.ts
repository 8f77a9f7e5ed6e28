import type { HubHttp } from '#sdk/ports/http.js';
import type { TestResult } from '#sdk/lifecycle.js';

/** Tests a connection as most plugins do: by a request for the signed-in user. */
export async function testIdentity(http: HubHttp): Promise<TestResult> {
  const { status } = await http.request({ url: '/me', auth: 'connection' });
  if (status === 401) return { outcome: 'bad_credentials', message: 'Unknown key.' };
  if (status === 403) return { outcome: 'forbidden', message: 'Not allowed.' };
  return status === 200 ? { outcome: 'ok', message: 'Hello.' } : { outcome: 'unreachable', message: `${status}` };
}
