import { OAUTH_PATHS } from '../oauth/oauth.urls.js';
import { html } from './html.js';
import { type HtmlPage, renderPage } from './page.js';

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
