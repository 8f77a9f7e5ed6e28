import { OAUTH_PATHS } from '../oauth/oauth.urls.js';
import { html } from './html.js';
import { type HtmlPage, renderPage } from './page.js';

/** Asks for the code that a device shows. @param problem what was wrong with the last one */
export function userCodePage(enteredCode = '', problem?: string): HtmlPage {
  return renderPage({
    title: 'Enter your code',
    status: problem === undefined ? 200 : 404,
    content: html`<h1>Enter the code that your program shows</h1>
      <p class="soft">It has eight letters and holds for ten minutes.</p>
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

/** Says how it ended, when there is nowhere to lead the browser to. */
export function resultPage(outcome: 'approved' | 'denied' | 'late', name: string): HtmlPage {
  const [title, text] = {
    approved: [`${name} is in`, 'Go back to your program: it goes on by itself. You can close this page.'],
    denied: [`${name} was turned away`, 'It has got no key. You can close this page.'],
    late: ['Too late', 'This request was answered already or has expired. Begin again in your program.'],
  }[outcome] as [string, string];
  return renderPage({
    title,
    status: outcome === 'late' ? 410 : 200,
    content: html`<h1>${title}</h1>
      <p class="soft" role="status">${text}</p>`,
  });
}

/** Says what is wrong with a request that cannot be answered to its program. */
export function errorPage(status: number, text: string): HtmlPage {
  return renderPage({
    title: 'This does not work',
    status,
    content: html`<h1>This does not work</h1>
      <p class="alert" role="alert">${text}</p>
      <p class="soft">
        Nothing was granted. Begin again in your program; if it happens once more, tell its makers what stands above.
      </p>`,
  });
}
