import type { Scope } from '#kernel/auth/caller.js';
import type { AuthorizedAdmin } from '../consent/consent.service.js';
import { KEY_TTL_DAYS } from '../grants/key-ttl.js';
import { OAUTH_PATHS } from '../oauth/oauth.urls.js';
import type { ConsentRequest } from '../consent/consent-state.service.js';
import { type Html, html } from './html.js';
import { type HtmlPage, renderPage } from './page.js';
import { requestSummary } from './request-summary.js';

const SCOPE_TEXTS: Readonly<Record<Scope, readonly [what: string, means: string]>> = {
  read: ['Read', 'See people, companies, notes and facts of the workspace.'],
  write: ['Write', 'Record observations, notes and leads.'],
  admin: ['Manage', 'Make and revoke API keys, and let other programs in.'],
  internal: ['Internal', 'Use what is kept from agents.'],
};

/** What a form of the page carries. */
export interface ConsentForm {
  readonly request: ConsentRequest;
  readonly state: string;
  /** What was wrong with the last attempt. */
  readonly problem?: string | undefined;
}

/** First step: what asks, and the question for a key that may answer. */
export function signInPage({ request, state, problem }: ConsentForm): HtmlPage {
  const requestedScopes = request.scopes.map(scope => SCOPE_TEXTS[scope][0].toLowerCase()).join(', ');
  return renderPage({
    title: `Let ${request.clientName} in?`,
    status: problem === undefined ? 200 : 400,
    redirectTarget: request.redirect?.uri,
    footnote:
      'Rapport has no accounts for people yet, so a key that may manage the workspace shows who you are. It is used for this once: it is not kept, not put into a cookie and not given to the program.',
    content: html`<h1>${request.clientName} asks for access</h1>
      <p class="soft">It wants an API key of your workspace, to: ${requestedScopes}.</p>
      ${requestSummary(request)} ${alertHtml(problem)}
      <form method="post" action="${OAUTH_PATHS.approve}">
        <input type="hidden" name="ticket" value="${state}" />
        <label class="label" for="api_key">Your API key</label>
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
          One with the scope <b>admin</b>, such as the first key of the workspace. You decide on the next page.
        </p>
        <div class="actions">
          <button class="main" name="step" value="prove">Continue</button>
          <button name="step" value="deny" formnovalidate>Deny</button>
        </div>
      </form>`,
  });
}

/** Second step: which workspace it is about, and the decision. */
export function consentPage({ request, state, problem }: ConsentForm, admin: AuthorizedAdmin): HtmlPage {
  return renderPage({
    title: `Let ${request.clientName} into ${admin.workspaceName}?`,
    status: problem === undefined ? 200 : 400,
    redirectTarget: request.redirect?.uri,
    footnote: `You decide with the key “${admin.keyName}” (${admin.maskedKey}).`,
    content: html`<h1>Let ${request.clientName} into ${admin.workspaceName}?</h1>
      <p class="soft">
        It gets an API key of its own for ${KEY_TTL_DAYS[request.origin]} days. You can revoke it at any time where the
        keys of the workspace are listed.
      </p>
      ${requestSummary(request)} ${alertHtml(problem)}
      <form method="post" action="${OAUTH_PATHS.approve}">
        <input type="hidden" name="ticket" value="${state}" />
        <fieldset>
          <legend>What it may do in ${admin.workspaceName}</legend>
          ${request.scopes.map(scope => scopeCheckbox(scope, admin))}
        </fieldset>
        <div class="actions">
          <button class="main" name="step" value="approve">Approve</button>
          <button name="step" value="deny">Deny</button>
        </div>
      </form>`,
  });
}

/** Managing is never ticked beforehand: who gives that away shall have meant it. */
function scopeCheckbox(scope: Scope, admin: AuthorizedAdmin): Html {
  const [what, means] = SCOPE_TEXTS[scope];
  const isHeld = admin.scopes.includes(scope);
  const state = !isHeld ? html` disabled` : scope === 'admin' ? html`` : html` checked`;
  return html`<label class="tick"
    ><input type="checkbox" name="scope_${scope}" value="yes" ${state} />
    <div>${what}<span>${means}${!isHeld && ' Your own key lacks this.'}</span></div></label
  > `;
}

function alertHtml(problem: string | undefined): Html {
  return problem === undefined ? html`` : html`<p class="alert" role="alert">${problem}</p>`;
}
