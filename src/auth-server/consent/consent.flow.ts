import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { ConsentService, type AuthorizedAdmin } from './consent.service.js';
import type { FormFields } from '../oauth/form.js';
import { AuthorizationService } from '../grants/authorization.service.js';
import { buildOAuthUrls } from '../oauth/oauth.urls.js';
import { SUPPORTED_SCOPES } from '../oauth/scopes.js';
import { ConsentingPeopleService, toAuthorizedAdmin } from './consenting-people.service.js';
import { consentPage, errorPage, resultPage, signInPage, userCodePage, workspacePage } from '../pages/consent.pages.js';
import type { HtmlPage } from '#kernel/http/page.js';
import { buildRedirectUrl, type AuthorizationResponse } from './consent-page.routes.js';
import { type ConsentRequest, type ConsentState, ConsentStateService } from './consent-state.service.js';

/** The browser that requests a page. */
export interface BrowserRequest {
  /** The value of the consent cookie, unvalidated. */
  readonly cookie: string | undefined;
  /** The whole `Cookie` header, which may have a session. */
  readonly cookies: string;
  /** Address of the page that was opened, to which a person returns after signing in; undefined for a form. */
  readonly path: string | undefined;
  readonly address: string;
}

/** A page with the nonce for its cookie, or a redirect to the client. */
export type BrowserResponse = { readonly page: HtmlPage; readonly nonce?: string } | { readonly redirect: string };

const UNKNOWN_KEY = 'This key is not valid: it is mistyped, revoked or expired.';
const NOT_AN_ADMIN_KEY = 'This key may not manage its workspace. Use a key with the scope admin.';
const SESSION_ENDED = 'Your session has ended, or you may no longer approve programs for this workspace.';
const CHOOSE_WORKSPACE = 'Choose one of your workspaces.';
const WRONG_CODE =
  'No sign-in is waiting for this code. Check the code. After ten minutes your program needs a new one.';
const EXPIRED_PAGE = 'This page is too old, was opened in another browser, or your browser blocks its cookie.';

/** Controls the steps of a consent: sign in, decide, result. */
@Injectable()
export class ConsentFlow {
  private readonly issuer: string;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    private readonly authorization: AuthorizationService,
    private readonly consents: ConsentService,
    private readonly consentStates: ConsentStateService,
    private readonly people: ConsentingPeopleService,
  ) {
    this.issuer = buildOAuthUrls(publicUrl).issuer;
  }

  /** Handles `GET /oauth/authorize`, the request of a client. @throws OAuthError if the client cannot be notified */
  async startAuthorization(fields: FormFields, browser: BrowserRequest): Promise<BrowserResponse> {
    const outcome = await this.authorization.readRequest(fields, browser.address);
    return 'request' in outcome ? this.presentSignIn(outcome.request, browser) : outcome;
  }

  /**
   * Handles `GET /oauth/device`: presents the request of a user code, or asks for a code.
   * @throws HubError `rate_limited`
   */
  async startDeviceLogin(fields: FormFields, browser: BrowserRequest): Promise<BrowserResponse> {
    const userCode = fields.get('user_code') ?? fields.get('code');
    if (userCode === undefined) return { page: userCodePage() };
    const request = await this.consents.findDeviceRequest(userCode, browser.address);
    return request ? this.presentSignIn(request, browser) : { page: userCodePage(userCode, WRONG_CODE) };
  }

  /**
   * Presents a request. A person with a session who may approve programs for one workspace decides at once, one with
   * several chooses first, and everybody else signs in.
   */
  async presentSignIn(request: ConsentRequest, browser: BrowserRequest, problem?: string): Promise<BrowserResponse> {
    const person = await this.people.find(browser.cookies);
    const [workspace, ...others] = person?.workspaces ?? [];
    if (person && workspace && others.length === 0 && problem === undefined)
      return this.presentConsent(request, toAuthorizedAdmin(person, workspace.id)!, browser);
    const nonce = this.consentStates.findOrCreateNonce(browser.cookie);
    const state = this.consentStates.seal({ request }, nonce);
    const form = { request, state, problem };
    const page =
      person && workspace
        ? workspacePage(form, person)
        : signInPage(form, { user: person?.user, returnPath: browser.path });
    return { page, nonce };
  }

  /** Handles `POST /oauth/approve`, a step of the form. @throws HubError `rate_limited`, `unavailable` */
  async submit(fields: FormFields, browser: BrowserRequest): Promise<BrowserResponse> {
    const state = this.consentStates.open(fields.get('state') ?? '', browser.cookie);
    if (!state) return { page: errorPage(400, EXPIRED_PAGE) };
    const step = fields.get('step');
    if (step === 'deny') return this.deny(state);
    if (step === 'choose') return this.chooseWorkspace(state.request, fields, browser);
    return step === 'approve' && state.consenter
      ? this.approve(state, fields, browser)
      : this.signIn(state.request, fields, browser);
  }

  private async chooseWorkspace(
    request: ConsentRequest,
    fields: FormFields,
    browser: BrowserRequest,
  ): Promise<BrowserResponse> {
    const person = await this.people.find(browser.cookies);
    const admin = person && toAuthorizedAdmin(person, fields.get('workspace'));
    return admin
      ? this.presentConsent(request, admin, browser)
      : this.presentSignIn(request, browser, person ? CHOOSE_WORKSPACE : SESSION_ENDED);
  }

  private async signIn(request: ConsentRequest, fields: FormFields, browser: BrowserRequest): Promise<BrowserResponse> {
    const admin = await this.consents.authorize(fields.get('api_key') ?? '', request.id, browser.address);
    if (admin === 'unknown') return this.presentSignIn(request, browser, UNKNOWN_KEY);
    return admin === 'not_admin'
      ? this.presentSignIn(request, browser, NOT_AN_ADMIN_KEY)
      : this.presentConsent(request, admin, browser);
  }

  private presentConsent(
    request: ConsentRequest,
    admin: AuthorizedAdmin,
    browser: BrowserRequest,
    problem?: string,
  ): BrowserResponse {
    const nonce = this.consentStates.findOrCreateNonce(browser.cookie);
    const state = this.consentStates.seal({ request, consenter: admin.consenter }, nonce);
    return { page: consentPage({ request, state, problem }, admin), nonce };
  }

  private async approve(
    { request, consenter }: ConsentState,
    fields: FormFields,
    browser: BrowserRequest,
  ): Promise<BrowserResponse> {
    const isPerson = consenter!.actor.kind === 'person';
    const admin = await (isPerson
      ? this.people.reauthorize(consenter!, browser.cookies)
      : this.consents.reauthorize(consenter!));
    if (!admin) return this.presentSignIn(request, browser, isPerson ? SESSION_ENDED : UNKNOWN_KEY);
    const selected = SUPPORTED_SCOPES.filter(scope => fields.has(`scope_${scope}`) && admin.scopes.includes(scope));
    if (selected.length === 0)
      return this.presentConsent(request, admin, browser, 'Select at least one permission, or deny the request.');
    const outcome = await this.consents.approve(request, admin, selected);
    return typeof outcome === 'object'
      ? this.redirectToClient(request, outcome)
      : this.presentResult(request, outcome === 'done' ? 'approved' : 'expired');
  }

  private async deny({ request, consenter }: ConsentState): Promise<BrowserResponse> {
    await this.consents.deny(request, consenter);
    const response = { error: 'access_denied', error_description: 'The person denied the request.' };
    return request.redirect ? this.redirectToClient(request, response) : this.presentResult(request, 'denied');
  }

  private redirectToClient({ redirect }: ConsentRequest, response: AuthorizationResponse): BrowserResponse {
    return { redirect: buildRedirectUrl(redirect!, response, this.issuer) };
  }

  private presentResult(request: ConsentRequest, outcome: 'approved' | 'denied' | 'expired'): BrowserResponse {
    return { page: resultPage(outcome, request.clientName) };
  }
}
