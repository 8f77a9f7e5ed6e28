import { html, type HtmlPage, renderPage } from '#kernel/http/page.js';
import type { AuthorizationRequest, FinishedAuthorization } from './provider-authorizations.service.js';

/** Renders the page behind a link: which workspace is to be connected, and the permissions that are requested. */
export function connectPage(
  { providerName, workspaceName, scopes }: AuthorizationRequest,
  { path, nonce }: { readonly path: string; readonly nonce: string },
): HtmlPage {
  return renderPage({
    title: `Connect ${providerName}`,
    content: html`<h1>Connect ${providerName} to ${workspaceName}?</h1>
      <p class="soft">
        You go on to ${providerName} and sign in there. Everyone in the workspace ${workspaceName} then works with what
        your account there may see.
      </p>
      ${
        scopes.length > 0 &&
        html`<dl>
          <div>
            <dt>Permissions</dt>
            <dd>${scopes.join(', ')}</dd>
          </div>
        </dl>`
      }
      <form method="post" action="${path}">
        <input type="hidden" name="nonce" value="${nonce}" />
        <div class="actions"><button class="main">Continue to ${providerName}</button></div>
      </form>`,
    footnote: 'Continue only if you know this workspace and expect this connection.',
  });
}

/** Renders the page that sends the browser on to the provider. */
export function leavingPage(providerName: string, signInUrl: string): HtmlPage {
  return renderPage({
    title: `Continue to ${providerName}`,
    nextUrl: signInUrl,
    content: html`<h1>You are going to ${providerName}</h1>
      <p class="soft"><a href="${signInUrl}">Continue</a> if the page does not open by itself.</p>`,
  });
}

/** Renders the result of a sign-in. */
export function connectedPage({ providerName, workspaceName }: FinishedAuthorization): HtmlPage {
  return renderPage({
    title: `${providerName} is connected`,
    content: html`<h1>${providerName} is connected to ${workspaceName}</h1>
      <p class="soft" role="status">You can close this page.</p>`,
  });
}

/** Renders why nothing was connected. */
export function notConnectedPage(status: number, text: string): HtmlPage {
  return renderPage({
    title: 'Not connected',
    status,
    content: html`<h1>Nothing was connected</h1>
      <p class="alert" role="alert">${text}</p>
      <p class="soft">Open the link again to try once more, or ask for a new one.</p>`,
  });
}
