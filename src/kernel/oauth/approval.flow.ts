import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { ApprovalService, type ProvedRight } from './approval.service.js';
import type { Fields } from './form.js';
import { AuthorizationService } from './grants/authorization.service.js';
import { oauthAddresses } from './oauth.addresses.js';
import { OFFERED_SCOPES } from './offered-scopes.js';
import { decidePage, provePage } from './pages/approval.pages.js';
import { codePage, endPage, problemPage } from './pages/other.pages.js';
import type { Page } from './pages/page.js';
import { redirectTo, type RedirectAnswer } from './redirect.js';
import { type Ask, type Ticket, TicketService } from './ticket.service.js';

/** Who looks at the page. */
export interface Visitor {
  /** The nonce that their browser sent, if it is one. */
  readonly cookie: string | undefined;
  readonly address: string;
}

/** What a browser is given: a page with the nonce to keep, or the way back to the client. */
export type BrowserAnswer = { readonly page: Page; readonly nonce?: string } | { readonly redirect: string };

const UNKNOWN_KEY = 'This key is not valid here: it is mistyped, revoked or expired.';
const NOT_MANAGING = 'This key may not manage its workspace. Use one with the scope admin.';
const WRONG_CODE =
  'No sign-in waits under this code. Look at it once more; after ten minutes your program needs a new one.';
const STALE = 'This page is too old, was opened in another browser, or your browser keeps no cookies for it.';

/** Leads a person through an approval: prove, decide, done. */
@Injectable()
export class ApprovalFlow {
  private readonly issuer: string;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    private readonly authorization: AuthorizationService,
    private readonly approvals: ApprovalService,
    private readonly tickets: TicketService,
  ) {
    this.issuer = oauthAddresses(publicUrl).issuer;
  }

  /** `GET /oauth/authorize`: what a client asks for by way of the browser. @throws OAuthError when it cannot be told */
  async openAuthorization(fields: Fields, visitor: Visitor): Promise<BrowserAnswer> {
    const read = await this.authorization.read(fields, visitor.address);
    return 'ask' in read ? this.begin(read.ask, visitor) : read;
  }

  /** `GET /oauth/device`: the sign-in under a code, or the question for one. @throws HubError `rate_limited` */
  async openDevice(fields: Fields, visitor: Visitor): Promise<BrowserAnswer> {
    const typed = fields.get('user_code') ?? fields.get('code');
    if (typed === undefined) return { page: codePage() };
    const ask = await this.approvals.deviceAsk(typed, visitor.address);
    return ask ? this.begin(ask, visitor) : { page: codePage(typed, WRONG_CODE) };
  }

  /** Shows what a program asks for, and asks who looks at it. */
  begin(ask: Ask, visitor: Visitor, problem?: string): BrowserAnswer {
    const nonce = this.tickets.nonceOf(visitor.cookie);
    return { page: provePage({ ask, ticket: this.tickets.seal({ ask }, nonce), problem }), nonce };
  }

  /** `POST /oauth/approve`: a step of the form. @throws HubError `rate_limited`, `unavailable` */
  async step(fields: Fields, visitor: Visitor): Promise<BrowserAnswer> {
    const ticket = this.tickets.open(fields.get('ticket') ?? '', visitor.cookie);
    if (!ticket) return { page: problemPage(400, STALE) };
    const step = fields.get('step');
    if (step === 'deny') return this.deny(ticket.ask);
    return step === 'approve' && ticket.approver
      ? this.approve(ticket, fields, visitor)
      : this.prove(ticket.ask, fields, visitor);
  }

  private async prove(ask: Ask, fields: Fields, visitor: Visitor): Promise<BrowserAnswer> {
    const right = await this.approvals.prove(fields.get('api_key') ?? '', visitor.address);
    if (right === 'unknown') return this.begin(ask, visitor, UNKNOWN_KEY);
    return right === 'not_managing' ? this.begin(ask, visitor, NOT_MANAGING) : this.offer(ask, right, visitor);
  }

  private offer(ask: Ask, right: ProvedRight, visitor: Visitor, problem?: string): BrowserAnswer {
    const nonce = this.tickets.nonceOf(visitor.cookie);
    const ticket = this.tickets.seal({ ask, approver: right.approver }, nonce);
    return { page: decidePage({ ask, ticket, problem }, right), nonce };
  }

  private async approve({ ask, approver }: Ticket, fields: Fields, visitor: Visitor): Promise<BrowserAnswer> {
    const right = await this.approvals.stillProved(approver!);
    if (!right) return this.begin(ask, visitor, UNKNOWN_KEY);
    const ticked = OFFERED_SCOPES.filter(scope => fields.has(`scope_${scope}`) && right.scopes.includes(scope));
    if (ticked.length === 0) return this.offer(ask, right, visitor, 'Tick at least one thing that it may do, or deny.');
    const outcome = await this.approvals.approve(ask, right, ticked);
    return typeof outcome === 'object'
      ? this.leadBack(ask, outcome)
      : this.end(ask, outcome === 'done' ? 'approved' : 'late');
  }

  private async deny(ask: Ask): Promise<BrowserAnswer> {
    await this.approvals.deny(ask);
    const answer = { error: 'access_denied', error_description: 'The person has denied it.' };
    return ask.redirect ? this.leadBack(ask, answer) : this.end(ask, 'denied');
  }

  private leadBack({ redirect }: Ask, answer: RedirectAnswer): BrowserAnswer {
    return { redirect: redirectTo(redirect!, answer, this.issuer) };
  }

  private end(ask: Ask, outcome: 'approved' | 'denied' | 'late'): BrowserAnswer {
    return { page: endPage(outcome, ask.clientName) };
  }
}
