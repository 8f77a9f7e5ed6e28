import type { IncomingMessage, ServerResponse } from 'node:http';

/** What may go wrong at the provider. */
export type FaultKind =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Takes the request and says nothing. */
  | { readonly kind: 'hang' }
  /** Begins a JSON body and hangs up. */
  | { readonly kind: 'truncated' }
  /** A page of a proxy, with status 200. */
  | { readonly kind: 'html' }
  /** Does what was asked, and the answer is lost. */
  | { readonly kind: 'lost-answer' }
  /** Lists every booking, whatever was asked for. */
  | { readonly kind: 'ignored-filter' }
  /** Answers in the form of 2024-08-13, which counts instead of pointing. */
  | { readonly kind: 'old-shape' };

/** A fault, where it happens, and how often. */
export type Fault = FaultKind & {
  /** Default: every method. */
  readonly method?: string;
  /** Default: every path. */
  readonly path?: RegExp;
  /** Default: until it is taken away. */
  times?: number;
};

/** The faults that a fake has at the moment. */
export class Faults {
  private list: Fault[] = [];

  add(...faults: readonly Fault[]): void {
    this.list.push(...faults);
  }

  clear(): void {
    this.list = [];
  }

  /** The fault that meets a request, which counts as one time of it. */
  meeting(method: string, path: string): Fault | undefined {
    const fault = this.list.find(
      each => (each.times ?? 1) > 0 && (each.method ?? method) === method && (each.path?.test(path) ?? true),
    );
    if (fault?.times !== undefined) fault.times--;
    return fault;
  }
}

/** Acts a fault out that needs nothing of what was asked. @returns whether the request has had its answer */
export function actOut(fault: Fault | undefined, request: IncomingMessage, response: ServerResponse): boolean {
  switch (fault?.kind) {
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      response.end(errorBody(request, fault.status));
      return true;
    case 'hang':
      return true;
    case 'truncated':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"status":"success","data":[{"uid":"bkg');
      setImmediate(() => response.destroy());
      return true;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Just a moment…</title>');
      return true;
    default:
      return false;
  }
}

/** An error as the filter of the provider's API writes it. */
export function errorBody({ url }: IncomingMessage, status: number, message = `Answer ${status}`): string {
  const error = { code: `Exception${status}`, message };
  return JSON.stringify({ status: 'error', timestamp: '2026-11-02T10:00:00.000Z', path: url, error });
}
