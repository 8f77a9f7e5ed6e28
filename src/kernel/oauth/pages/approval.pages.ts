import type { Scope } from '#kernel/auth/caller.js';
import type { ProvedRight } from '../approval.service.js';
import { KEY_DAYS } from '../grants/key-life.js';
import { OAUTH_PATHS } from '../oauth.addresses.js';
import type { Ask } from '../ticket.service.js';
import { type Html, html } from './html.js';
import { type Page, pageOf } from './page.js';
import { requestPart } from './request.part.js';

const meanings: Readonly<Record<Scope, readonly [what: string, means: string]>> = {
  read: ['Read', 'See people, companies, notes and facts of the workspace.'],
  write: ['Write', 'Record observations, notes and leads.'],
  admin: ['Manage', 'Make and revoke API keys, and let other programs in.'],
  internal: ['Internal', 'Use what is kept from agents.'],
};

/** What a form of the page carries. */
export interface FormParts {
  readonly ask: Ask;
  readonly ticket: string;
  /** What was wrong with the last attempt. */
  readonly problem?: string | undefined;
}

/** First step: what asks, and the question for a key that may answer. */
export function provePage({ ask, ticket, problem }: FormParts): Page {
  const asked = ask.scopes.map(scope => meanings[scope][0].toLowerCase()).join(', ');
  return pageOf({
    title: `Let ${ask.clientName} in?`,
    status: problem === undefined ? 200 : 400,
    leadsTo: ask.redirect?.uri,
    foot: 'Rapport has no accounts for people yet, so a key that may manage the workspace shows who you are. It is used for this once: it is not kept, not put into a cookie and not given to the program.',
    content: html`<h1>${ask.clientName} asks for access</h1>
      <p class="soft">It wants an API key of your workspace, to: ${asked}.</p>
      ${requestPart(ask)} ${alertPart(problem)}
      <form method="post" action="${OAUTH_PATHS.approve}">
        <input type="hidden" name="ticket" value="${ticket}" />
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
export function decidePage({ ask, ticket, problem }: FormParts, right: ProvedRight): Page {
  return pageOf({
    title: `Let ${ask.clientName} into ${right.workspaceName}?`,
    status: problem === undefined ? 200 : 400,
    leadsTo: ask.redirect?.uri,
    foot: `You decide with the key “${right.keyName}” (${right.keyLooksLike}).`,
    content: html`<h1>Let ${ask.clientName} into ${right.workspaceName}?</h1>
      <p class="soft">
        It gets an API key of its own for ${KEY_DAYS[ask.origin]} days. You can revoke it at any time where the keys of
        the workspace are listed.
      </p>
      ${requestPart(ask)} ${alertPart(problem)}
      <form method="post" action="${OAUTH_PATHS.approve}">
        <input type="hidden" name="ticket" value="${ticket}" />
        <fieldset>
          <legend>What it may do in ${right.workspaceName}</legend>
          ${ask.scopes.map(scope => tickPart(scope, right))}
        </fieldset>
        <div class="actions">
          <button class="main" name="step" value="approve">Approve</button>
          <button name="step" value="deny">Deny</button>
        </div>
      </form>`,
  });
}

/** Managing is never ticked beforehand: who gives that away shall have meant it. */
function tickPart(scope: Scope, right: ProvedRight): Html {
  const [what, means] = meanings[scope];
  const held = right.scopes.includes(scope);
  const state = !held ? html` disabled` : scope === 'admin' ? html`` : html` checked`;
  return html`<label class="tick"
    ><input type="checkbox" name="scope_${scope}" value="yes" ${state} />
    <div>${what}<span>${means}${!held && ' Your own key lacks this.'}</span></div></label
  > `;
}

function alertPart(problem: string | undefined): Html {
  return problem === undefined ? html`` : html`<p class="alert" role="alert">${problem}</p>`;
}
