import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { buildOAuthUrls, buildRedirectUrl, type AuthorizationResponse } from '../oauth/oauth.urls.js';
import { ApprovalTicketsService, type ConsentRequest } from './approval-tickets.service.js';
import { type AuthorizedAdmin, type AuthorizedKey, ConsentService } from './consent.service.js';
import { type ConsentingPerson, ConsentingPeopleService, toAuthorizedAdmin } from './consenting-people.service.js';

/** Who opens the approval page, as the server sees them. */
export interface Visitor {
  /** The whole `Cookie` header, which may have a session. */
  readonly cookies: string;
  readonly address: string;
}

/** A request that waits for a decision, and the person who opened it. */
export interface OpenApproval {
  readonly request: ConsentRequest;
  /** Undefined without a session. */
  readonly person: ConsentingPerson | undefined;
}

/** What a person decides about a request. */
export interface Decision {
  readonly approves: boolean;
  /** Scopes to grant. */
  readonly scopes: readonly Scope[];
  /** The workspace; may be left out where the person has one only, and with a key. */
  readonly workspaceId: string | undefined;
  /** ID of the user that the page named; another session is refused. */
  readonly userId: string | undefined;
  /** An API key to decide by, instead of the session. */
  readonly apiKey: string | undefined;
}

/** Texts up to this length are user codes with the spaces and signs that people type; tickets are longer. */
const MAX_TYPED_CODE_LENGTH = 40;
const NOT_WAITING =
  'No sign-in is waiting for this code. Check the code. After ten minutes your program needs a new one.';
const UNKNOWN_KEY = 'This key is not valid: it is mistyped, revoked or expired.';
const NOT_AN_ADMIN_KEY = 'This key may not manage its workspace. Use a key with the scope admin.';
const OTHER_SESSION = 'Your session has ended or is another person’s. Load the page again.';
const CHOOSE_WORKSPACE = 'Choose one of your workspaces in which you are owner or admin.';
const DENIED = { error: 'access_denied', error_description: 'The person denied the request.' };

/** Presents the requests of programs to the people who decide about them, and carries out what they decide. */
@Injectable()
export class ApprovalsService {
  private readonly issuer: string;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    private readonly tickets: ApprovalTicketsService,
    private readonly consents: ConsentService,
    private readonly people: ConsentingPeopleService,
  ) {
    this.issuer = buildOAuthUrls(publicUrl).issuer;
  }

  /**
   * Returns a request by its ticket or by the user code that a device shows, with the person who opened it.
   * @throws HubError `approval_expired`; `not_found` for a wrong user code, `rate_limited` after several
   */
  async find(ticket: string, { cookies, address }: Visitor): Promise<OpenApproval> {
    const request = await this.openRequest(ticket, address);
    return { request, person: await this.people.find(cookies) };
  }

  /**
   * Returns what an API key may approve.
   * @throws HubError as {@link find}; `invalid_request` for a key that is wrong or lacks the scope `admin`
   */
  async findKey(ticket: string, apiKey: string, { address }: Visitor): Promise<AuthorizedKey> {
    const request = await this.openRequest(ticket, address);
    return this.authorizeKey(request, apiKey, address);
  }

  /**
   * Carries out a decision.
   * @returns the address to which the browser goes; null for a device, whose program continues by itself
   * @throws HubError as {@link find}; `unauthorized` without a session or key; `invalid_request` for scopes and workspaces
   *   that cannot be granted
   */
  async decide(ticket: string, decision: Decision, visitor: Visitor): Promise<string | null> {
    const request = await this.openRequest(ticket, visitor.address);
    if (!decision.approves) {
      const admin = await this.authorize(request, decision, visitor).catch(() => undefined);
      await this.consents.deny(request, admin?.consenter);
      return this.toRedirect(request, DENIED);
    }
    const outcome = await this.consents.approve(
      request,
      await this.authorize(request, decision, visitor),
      decision.scopes,
    );
    if (outcome === 'expired') throw new HubError('approval_expired');
    return outcome === 'done' ? null : this.toRedirect(request, outcome);
  }

  private async openRequest(ticket: string, address: string): Promise<ConsentRequest> {
    const request = this.tickets.open(ticket);
    if (request) return request;
    if (ticket.length > MAX_TYPED_CODE_LENGTH) throw new HubError('approval_expired');
    const device = await this.consents.findDeviceRequest(ticket, address);
    if (!device) throw new HubError('not_found', { detail: NOT_WAITING });
    return device;
  }

  private async authorize(
    request: ConsentRequest,
    { apiKey, workspaceId, userId }: Decision,
    { cookies, address }: Visitor,
  ): Promise<AuthorizedAdmin> {
    if (apiKey !== undefined) return this.authorizeKey(request, apiKey, address);
    const person = await this.people.find(cookies);
    if (!person || (userId !== undefined && userId !== person.user.id))
      throw new HubError('unauthorized', { detail: OTHER_SESSION });
    const [only, ...others] = person.workspaces;
    const admin = toAuthorizedAdmin(person, workspaceId ?? (others.length === 0 ? only?.id : undefined));
    if (!admin) throw HubError.invalidField('workspace', CHOOSE_WORKSPACE);
    return admin;
  }

  private async authorizeKey(request: ConsentRequest, apiKey: string, address: string): Promise<AuthorizedKey> {
    const key = await this.consents.authorize(apiKey, request.id, address);
    if (typeof key === 'object') return key;
    throw HubError.invalidField('api_key', key === 'unknown' ? UNKNOWN_KEY : NOT_AN_ADMIN_KEY);
  }

  private toRedirect({ redirect }: ConsentRequest, response: AuthorizationResponse): string | null {
    return redirect ? buildRedirectUrl(redirect, response, this.issuer) : null;
  }
}
