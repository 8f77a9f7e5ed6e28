import type { ConsentRequest } from '../consent/consent-state.service.js';
import { type Html, html } from './html.js';

/** Who asks, from where, and where the answer goes: everything by which a person can tell a stranger. */
export function requestSummary(request: ConsentRequest): Html {
  return html`${request.userCode !== undefined && userCodeHtml(request.userCode)}
    <dl>
      <div>
        <dt>Program</dt>
        <dd>${request.clientName}</dd>
      </div>
      <div>
        <dt>Vouched for by</dt>
        <dd>${describeVerification(request)}</dd>
      </div>
      ${
        request.redirect &&
        html`<div>
          <dt>Answer goes to</dt>
          <dd>${describeRedirectTarget(request.redirect.uri)}</dd>
        </div>`
      }
      <div>
        <dt>Asked from</dt>
        <dd>${request.address}</dd>
      </div>
    </dl>`;
}

function userCodeHtml(code: string): Html {
  return html`<strong class="code">${code}</strong>
    <p class="hint">Go on only if your program shows this very code.</p>`;
}

function describeVerification({ clientHost, clientId, origin }: ConsentRequest): string {
  if (clientHost !== undefined) return clientHost;
  return origin === 'cli' && clientId
    ? 'Nobody: any program can say that it is this one'
    : 'Nobody: it gave itself this name';
}

/** The host of an address, or the scheme of an app, in words. */
export function describeRedirectTarget(address: string): string {
  const { protocol, host, hostname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return `an app on your machine (${protocol}//)`;
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return isHere ? `a program on your machine (${host})` : host;
}
