import { Injectable } from '@nestjs/common';
import { recordAct } from '#kernel/audit/audit-log.js';
import { type Caller, expandScopes, type Scope } from '#kernel/auth/caller.js';
import type { Instant } from '#domain/time/instant.js';
import { ApiKeyCache, KeyUsageService } from '#kernel/auth/api-key.lookup.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { decideRequest, findPendingRequest } from '../grants/device-requests.queries.js';
import { upsertGrant } from '../grants/grants.queries.js';
import type { DeviceRequest } from '../oauth.entities.js';
import { generateGrantCode, hashSecret, parseUserCode } from '../grants/grant-code.js';
import { FailedAttempts } from '../oauth/oauth.rate-limiter.js';
import { listOfferedScopes } from '../oauth/scopes.js';
import { CLI_CLIENT } from '../clients/oauth-client.js';
import { RegisteredClientStore } from '../clients/registered-client.store.js';
import type { Consenter, ConsentRequest } from './approval-tickets.service.js';

/** The scope that a key needs to consent: the one that may also create keys. */
export const CONSENT_SCOPE: Scope = 'admin';

const CODE_TTL_SECONDS = 60;
const DEVICE_GRANT_TTL_SECONDS = 600;

/** An admin who may approve programs for a workspace. */
export interface AuthorizedAdmin {
  readonly consenter: Consenter;
  readonly workspaceName: string;
  /** Scopes that they hold, and so the most that they can grant. */
  readonly scopes: readonly Scope[];
}

/** An API key that may approve programs. */
export interface AuthorizedKey extends AuthorizedAdmin {
  readonly name: string;
  readonly prefix: string;
  readonly lastFour: string;
  /** Time at which the key expires, and with it all keys that it approves; null if it does not. */
  readonly expiresAt: Instant | null;
}

interface AdminRow {
  readonly workspace: string;
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: Scope[];
  readonly expires_at: Instant | null;
}

/** Why a key does not authorize consent. */
export type NotAuthorized = 'unknown' | 'not_admin';

/** Authorizes admins and applies their decisions about programs that request an API key. */
@Injectable()
export class ConsentService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeyCache,
    private readonly usage: KeyUsageService,
    private readonly failedAttempts: FailedAttempts,
    private readonly clients: RegisteredClientStore,
  ) {}

  /**
   * Finds the pending device request of a user code. The response to a wrong code is delayed more each time.
   * @throws HubError `rate_limited` if several wrong codes of the network wait for their answer
   */
  async findDeviceRequest(text: string, address: string): Promise<ConsentRequest | undefined> {
    const userCode = parseUserCode(text);
    const request = userCode && (await this.work.system(tx => findPendingRequest(tx, userCode)));
    if (request) return toConsentRequest(request);
    await this.failedAttempts.count(userCode ?? 'malformed', address);
    return undefined;
  }

  /**
   * Authorizes a person by an API key. The response to a wrong key is delayed more each time.
   * @param requestId ID of the request on the page, for which wrong keys are counted
   * @throws HubError `rate_limited` if several wrong keys of the network wait for their answer
   */
  async authorize(key: string, requestId: string, address: string): Promise<AuthorizedKey | NotAuthorized> {
    const caller = await this.keys.resolve(key.trim());
    if (!caller) {
      await this.failedAttempts.count(requestId, address);
      return 'unknown';
    }
    this.usage.record(caller, 'approval page');
    return caller.scopes.includes(CONSENT_SCOPE) ? ((await this.findKey(caller)) ?? 'unknown') : 'not_admin';
  }

  /** Returns a key that may consent; undefined if it was revoked meanwhile, which other processes learn a moment later. */
  private async findKey({ workspaceId, actor }: Caller): Promise<AuthorizedKey | undefined> {
    const [row] = await this.work.run(workspaceId, tx =>
      tx.query<AdminRow>(
        `SELECT w.name AS workspace, k.name, k.prefix, k.last_four, k.scopes, k.expires_at
         FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
         WHERE k.workspace_id = $1 AND k.id = $2 AND k.revoked_at IS NULL AND (k.expires_at > now()) IS NOT FALSE
           AND $3 = ANY (k.scopes)`,
        [workspaceId, actor.id, CONSENT_SCOPE],
      ),
    );
    return (
      row && {
        consenter: { workspaceId, actor },
        workspaceName: row.workspace,
        scopes: expandScopes(row.scopes),
        name: row.name,
        prefix: row.prefix,
        lastFour: row.last_four,
        expiresAt: row.expires_at,
      }
    );
  }

  /**
   * Grants the offered scopes that the admin selected and holds.
   * @returns the authorization code; `done` for a device, `expired` if its request is no longer pending
   */
  async approve(
    consentRequest: ConsentRequest,
    admin: AuthorizedAdmin,
    selected: readonly string[],
  ): Promise<{ code: string } | 'done' | 'expired'> {
    const offered = listOfferedScopes(consentRequest.scopes);
    const scopes = offered.filter(scope => admin.scopes.includes(scope) && selected.includes(scope));
    if (scopes.length === 0)
      throw HubError.invalidField('scopes', 'Select at least one permission, or deny the request.');
    const { workspaceId } = admin.consenter;
    const code = generateGrantCode({ workspaceId, grantId: consentRequest.id });
    const request = await this.findPending(consentRequest);
    if (consentRequest.userCode !== undefined && request?.id !== consentRequest.id) return 'expired';
    const grant = {
      id: consentRequest.id,
      secretHash: request ? request.deviceHash : hashSecret(code),
      clientId: consentRequest.clientId,
      name: consentRequest.clientName,
      origin: consentRequest.origin,
      scopes,
      redirectUri: consentRequest.redirect?.uri ?? null,
      codeChallenge: consentRequest.redirect?.codeChallenge ?? null,
      approvedBy: admin.consenter.actor,
    };
    await this.work.run(workspaceId, tx => {
      const { id, clientId, origin } = grant;
      const { actor } = admin.consenter;
      recordAct(tx, { action: 'sign_in.approve', objectId: id, after: { client_id: clientId, origin, scopes }, actor });
      return upsertGrant(tx, grant, request ? DEVICE_GRANT_TTL_SECONDS : CODE_TTL_SECONDS);
    });
    await this.clients.markUsed(consentRequest.clientId);
    if (!request) return { code };
    return (await this.work.system(tx => decideRequest(tx, consentRequest.id, workspaceId))) ? 'done' : 'expired';
  }

  /**
   * Denies a request. This needs no session: everyone who can open the page may deny. The audit log has it if an admin
   * denies it, because only then is it known which workspace it concerns.
   */
  async deny({ id, clientId, userCode }: ConsentRequest, consenter: Consenter | undefined): Promise<void> {
    if (userCode !== undefined) await this.work.system(tx => decideRequest(tx, id, null));
    if (!consenter) return;
    const { workspaceId, actor } = consenter;
    await this.work.run(workspaceId, async tx => {
      recordAct(tx, { action: 'sign_in.deny', objectId: id, after: { client_id: clientId }, actor });
    });
  }

  private async findPending({ userCode }: ConsentRequest): Promise<DeviceRequest | undefined> {
    return userCode === undefined ? undefined : this.work.system(tx => findPendingRequest(tx, userCode));
  }
}

function toConsentRequest(request: DeviceRequest): ConsentRequest {
  const { id, clientId, clientName, clientHost, scopes, address, userCode } = request;
  const origin = clientId === CLI_CLIENT.id ? CLI_CLIENT.origin : 'oauth';
  return { id, clientId, clientName, ...(clientHost && { clientHost }), origin, scopes, address, userCode };
}
