import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { FieldProblem } from './fieldProblem.ts';
import type { paths } from './schema.d.ts';

/** An error whose message is written for the person at the console. */
export class ExplainedError extends Error {}

/** A refusal of the hub: a stable code, a sentence for people, and the identifier that support asks for. */
export class HubError extends ExplainedError {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly requestId: string | undefined,
    readonly fields: readonly FieldProblem[] = [],
    readonly retryAfterSeconds: number | undefined = undefined,
  ) {
    super(detail);
    this.name = 'HubError';
  }
}

/** The hub as a page calls it. */
export type Hub = Client<paths>;

interface ErrorBody {
  readonly error?: string;
  readonly detail?: string;
  readonly request_id?: string;
  readonly details?: readonly FieldProblem[];
}

/**
 * Creates a client of the hub that serves this page. Its methods throw {@link HubError} for every refusal; a session that
 * has ended leads to the sign-in page and back.
 * @param workspaceId workspace that requests are about; undefined for those about the person only
 */
export function createHub(workspaceId?: string): Hub {
  const hub = createClient<paths>({
    baseUrl: location.origin,
    credentials: 'same-origin',
    headers: {
      // Proves that a page of ours sends the request: no form and no other site can set it.
      'x-rapport-client': 'console',
      ...(workspaceId !== undefined && { 'x-rapport-workspace': workspaceId }),
    },
  });
  hub.use(throwRefusals);
  return hub;
}

const throwRefusals: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    const body = (await response
      .clone()
      .json()
      .catch(() => ({}))) as ErrorBody;
    if (body.error === 'unauthorized') leaveForSignIn();
    const retryAfter = Number(response.headers.get('retry-after'));
    throw new HubError(
      response.status,
      body.error ?? 'unknown',
      body.detail ?? body.details?.[0]?.message ?? `The hub answered with status ${response.status}.`,
      body.request_id ?? response.headers.get('x-request-id') ?? undefined,
      body.details,
      retryAfter > 0 ? retryAfter : undefined,
    );
  },
};

function leaveForSignIn(): void {
  const here = location.pathname + location.search;
  if (location.pathname.startsWith('/w/') || location.pathname === '/')
    location.assign(`/sign-in?to=${encodeURIComponent(here)}`);
}

/** Returns the body of a successful response. */
export function bodyOf<Body>({ data }: { readonly data?: Body }): Body {
  if (data === undefined) throw new Error('The hub sent a response without a body.');
  return data;
}
