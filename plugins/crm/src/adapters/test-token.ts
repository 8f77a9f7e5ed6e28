import { type HttpResponse, isUnreachable, type TestResult } from '@rapport/plugin-sdk';

/**
 * Tells what a request says of the token that it was sent with.
 * @param crm name of the CRM
 * @param describeForbidden tells which permissions are missing, from a response with status 403
 */
export async function testToken(
  crm: string,
  request: Promise<HttpResponse>,
  describeForbidden: (response: HttpResponse) => string,
): Promise<TestResult> {
  try {
    const response = await request;
    const { status } = response;
    if (status === 200) return { outcome: 'ok', message: `${crm} accepts the access token.` };
    if (status === 401)
      return { outcome: 'bad_credentials', message: `${crm} does not know this access token: paste it again.` };
    if (status === 403) return { outcome: 'forbidden', message: describeForbidden(response) };
    return { outcome: 'unreachable', message: `${crm} responded with ${status}: try again later.` };
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    return { outcome: 'unreachable', message: `${crm} cannot be reached: try again later.` };
  }
}
