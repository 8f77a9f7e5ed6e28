import { DAY_US, toIso } from '#domain/time/instant.js';
import type { Scope } from '#kernel/auth/caller.js';
import { OAUTH_PATHS } from '../oauth/oauth.urls.js';
import { html, type HtmlPage, renderPage, type Html } from '#kernel/http/page.js';
import type { AuthorizedAdmin } from '../consent/consent.service.js';
import type { ConsentingPerson } from '../consent/consenting-people.service.js';
import type { User } from '../users/sign-in.service.js';
import { KEY_TTL_DAYS, REFRESH_TTL_DAYS } from '../grants/granted-keys.service.js';
import { listOfferedScopes } from '../oauth/scopes.js';
import type { ConsentRequest } from '../consent/consent-state.service.js';

/** Renders the form for the user code of a device. @param problem the problem of the last code */
export function userCodePage(enteredCode = '', problem?: string): HtmlPage {
  return renderPage({
    title: 'Enter your code',
    status: problem === undefined ? 200 : 404,
    content: html`<h1>Enter the code that your program shows</h1>
      <p class="soft">It has eight letters and is valid for ten minutes.</p>
      ${problem !== undefined && html`<p class="alert" role="alert">${problem}</p>`}
      <form method="get" action="${OAUTH_PATHS.device}">
        <label class="label" for="user_code">Code</label>
        <input
          id="user_code"
          name="user_code"
          type="text"
          value="${enteredCode.slice(0, 20)}"
          maxlength="20"
          required
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          placeholder="XXXX-XXXX"
          autofocus
        />
        <div class="actions"><button class="main">Continue</button></div>
      </form>`,
  });
}

/** Renders the result when there is no redirect to a client. */
export function resultPage(outcome: 'approved' | 'denied' | 'expired', name: string): HtmlPage {
  const [title, text] = {
    approved: [`${name} is approved`, 'Return to your program: it continues by itself. You can close this page.'],
    denied: [`${name} was denied`, 'It did not get a key. You can close this page.'],
    expired: ['Request expired', 'This request was decided before or has expired. Start again in your program.'],
  }[outcome] as [string, string];
  return renderPage({
    title,
    status: outcome === 'expired' ? 410 : 200,
    content: html`<h1>${title}</h1>
      <p class="soft" role="status">${text}</p>`,
  });
}

/** Renders an error that cannot be reported to the program. */
export function errorPage(status: number, text: string): HtmlPage {
  return renderPage({
    title: 'Something went wrong',
    status,
    content: html`<h1>Something went wrong</h1>
      <p class="alert" role="alert">${text}</p>
      <p class="soft">
        Nothing was granted. Start again in your program. If this happens again, report the message above to its
        developers.
      </p>`,
  });
}

const SCOPE_TEXTS: Readonly<Record<Scope, readonly [label: string, description: string]>> = {
  read: ['Read', 'See people, companies, notes and facts of the workspace.'],
  write: ['Write', 'Record observations, notes and leads.'],
  settings: [
    'Settings',
    'Change the profile, the scoring model, trust, integrations, triggers and API keys of the workspace.',
  ],
  admin: ['Manage', 'Approve other programs. Includes Settings.'],
  internal: ['Internal', 'Use what is hidden from agents.'],
};

const NEVER_PRESELECTED: ReadonlySet<Scope> = new Set(['settings', 'admin']);

/** The content of a consent form. */
export interface ConsentForm {
  readonly request: ConsentRequest;
  readonly state: string;
  /** The problem of the last attempt. */
  readonly problem?: string | undefined;
}

/** Who opened the page of the first step. */
export interface ConsentVisitor {
  /** The person who is signed in; undefined without a session. They may approve nothing, or the page would not ask. */
  readonly user: User | undefined;
  /** Address of the page, to return to after signing in; undefined if it cannot be opened again. */
  readonly returnPath: string | undefined;
}

/** Renders the first step: the request, and the sign-in with an account or with an admin key. */
export function signInPage({ request, state, problem }: ConsentForm, { user, returnPath }: ConsentVisitor): HtmlPage {
  const requestedScopes = request.scopes.map(scope => SCOPE_TEXTS[scope][0].toLowerCase()).join(', ');
  return renderPage({
    title: `Approve ${request.clientName}?`,
    status: problem === undefined ? 200 : 400,
    redirectTarget: request.redirect?.uri,
    footnote:
      'A key that you enter here is used only once: it is not stored, not put into a cookie and not given to the program.',
    content: html`<h1>${request.clientName} requests access</h1>
      <p class="soft">It requests an API key of your workspace, to: ${requestedScopes}.</p>
      ${requestSummary(request)} ${alertHtml(problem)} ${accountHtml(user, returnPath)}
      <form method="post" action="${OAUTH_PATHS.approve}">
        <input type="hidden" name="state" value="${state}" />
        <label class="label" for="api_key">An API key of the workspace</label>
        <input
          id="api_key"
          name="api_key"
          type="password"
          autocomplete="off"
          spellcheck="false"
          aria-describedby="api_key_hint"
          aria-invalid="${String(problem !== undefined)}"
          required
          autofocus
        />
        <p class="hint" id="api_key_hint">
          Use a key with the scope <b>admin</b>, such as the first key of the workspace. You decide on the next page.
        </p>
        <div class="actions">
          <button class="main" name="step" value="sign_in">Continue</button>
          <button name="step" value="deny" formnovalidate>Deny</button>
        </div>
      </form>`,
  });
}

/** Says how a person decides by their account. */
function accountHtml(user: User | undefined, returnPath: string | undefined): Html {
  if (user)
    return html`<p class="soft">
      You are signed in as ${user.name} (${user.email}), who may not approve programs: that is for owners and admins.
    </p>`;
  if (returnPath === undefined) return html``;
  return html`<p>
    <a href="/sign-in?to=${encodeURIComponent(returnPath)}">Sign in with your account</a>, or use a key:
  </p>`;
}

/** Renders the step in which a person with several workspaces chooses one. */
export function workspacePage(
  { request, state, problem }: ConsentForm,
  { user, workspaces }: ConsentingPerson,
): HtmlPage {
  return renderPage({
    title: `Approve ${request.clientName}?`,
    status: problem === undefined ? 200 : 400,
    redirectTarget: request.redirect?.uri,
    footnote: `You are signed in as ${user.name} (${user.email}).`,
    content: html`<h1>${request.clientName} requests access</h1>
      <p class="soft">Choose the workspace that it may use. You decide on the next page.</p>
      ${requestSummary(request)} ${alertHtml(problem)}
      <form method="post" action="${OAUTH_PATHS.approve}">
        <input type="hidden" name="state" value="${state}" />
        <fieldset>
          <legend>Workspace</legend>
          ${workspaces.map(
            ({ id, name }) =>
              html`<label class="tick"
                ><input type="radio" name="workspace" value="${id}" required />
                <div>${name}</div></label
              > `,
          )}
        </fieldset>
        <div class="actions">
          <button class="main" name="step" value="choose">Continue</button>
          <button name="step" value="deny" formnovalidate>Deny</button>
        </div>
      </form>`,
  });
}

/** Renders the second step: the workspace, the scopes, and the decision. */
export function consentPage({ request, state, problem }: ConsentForm, admin: AuthorizedAdmin): HtmlPage {
  return renderPage({
    title: `Approve ${request.clientName} for ${admin.workspaceName}?`,
    status: problem === undefined ? 200 : 400,
    redirectTarget: request.redirect?.uri,
    footnote: `You are signed in ${admin.signedIn}.`,
    content: html`<h1>Approve ${request.clientName} for ${admin.workspaceName}?</h1>
      <p class="soft">
        It gets its own API key for ${describeLifetime(request, admin)}.
        ${
          request.origin === 'oauth' &&
          `It renews the key by itself, until it has not done so for ${REFRESH_TTL_DAYS} days.`
        }
        You can revoke the key at any time in the list of API keys of the workspace.
      </p>
      ${requestSummary(request)} ${alertHtml(problem)}
      <form method="post" action="${OAUTH_PATHS.approve}">
        <input type="hidden" name="state" value="${state}" />
        <fieldset>
          <legend>Permissions in ${admin.workspaceName}</legend>
          ${listOfferedScopes(request.scopes).map(scope => scopeCheckbox(scope, admin))}
        </fieldset>
        <div class="actions">
          <button class="main" name="step" value="approve">Approve</button>
          <button name="step" value="deny">Deny</button>
        </div>
      </form>`,
  });
}

/** Renders the checkbox of a scope. Some are never preselected, so that granting them is deliberate. */
function scopeCheckbox(scope: Scope, admin: AuthorizedAdmin): Html {
  const [label, description] = SCOPE_TEXTS[scope];
  const isHeld = admin.scopes.includes(scope);
  const state = !isHeld ? html` disabled` : NEVER_PRESELECTED.has(scope) ? html`` : html` checked`;
  return html`<label class="tick"
    ><input type="checkbox" name="scope_${scope}" value="yes" ${state} />
    <div>${label}<span>${description}${!isHeld && ' You do not have this permission yourself.'}</span></div></label
  > `;
}

/** Describes how long the new key lasts: it cannot outlive the key that approves it. */
function describeLifetime({ origin }: ConsentRequest, { expiresAt }: AuthorizedAdmin): string {
  const days = KEY_TTL_DAYS[origin];
  const isShorter = expiresAt !== null && expiresAt < Date.now() * 1000 + days * DAY_US;
  return isShorter
    ? `${days} days, but no longer than your own, until ${toIso(expiresAt).slice(0, 10)}`
    : `${days} days`;
}

function alertHtml(problem: string | undefined): Html {
  return problem === undefined ? html`` : html`<p class="alert" role="alert">${problem}</p>`;
}

/**
 * Renders the details by which a person can recognize a program: name, verification, redirect target and IP address.
 */
function requestSummary(request: ConsentRequest): Html {
  return html`${request.userCode !== undefined && userCodeHtml(request.userCode)}
    <dl>
      <div>
        <dt>Program</dt>
        <dd>${request.clientName}</dd>
      </div>
      <div>
        <dt>Verified by</dt>
        <dd>${describeVerification(request)}</dd>
      </div>
      ${
        request.redirect &&
        html`<div>
          <dt>Redirects to</dt>
          <dd>${describeRedirectTarget(request.redirect.uri)}</dd>
        </div>`
      }
      <div>
        <dt>Requested from</dt>
        <dd>${request.address}</dd>
      </div>
    </dl>`;
}

function userCodeHtml(code: string): Html {
  return html`<strong class="code">${code}</strong>
    <p class="hint">Continue only if your program shows exactly this code.</p>`;
}

function describeVerification({ clientHost, clientId, origin }: ConsentRequest): string {
  if (clientHost !== undefined) return clientHost;
  return origin === 'cli' && clientId
    ? 'Nobody: any program can claim to be this one'
    : 'Nobody: the program chose this name itself';
}

/** Describes a redirect target: the host of a URL, or the scheme of an app. */
function describeRedirectTarget(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol !== 'https:' && protocol !== 'http:') return `an app on your machine (${protocol}//)`;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return isLoopback ? `a program on your machine (${host})` : host;
}
