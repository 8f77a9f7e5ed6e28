import { Injectable } from '@nestjs/common';
import type { Caller, Scope } from '#kernel/auth/caller.js';
import { KeyRing } from '#kernel/auth/key-ring.service.js';
import { KeyUsage } from '#kernel/auth/key-usage.service.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { answerRequest, type DeviceRequest, waitingRequest } from './grants/device-requests.queries.js';
import { addGrant } from './grants/grants.queries.js';
import { newCode, secretHash } from './grants/secret-text.js';
import { readUserCode } from './grants/user-code.js';
import { OAuthLimits } from './oauth.limits.js';
import { COMMAND_LINE } from './clients/oauth-client.js';
import { RegisteredClients } from './clients/registered-clients.js';
import type { Approver, Ask } from './ticket.service.js';

/** The scope that a key needs to let others in: the one that makes keys anyway. */
export const MANAGING_SCOPE: Scope = 'admin';

const CODE_SECONDS = 60;
const DEVICE_SECONDS = 600;

/** Whose right was proved, as the page shows it. */
export interface ProvedRight {
  readonly approver: Approver;
  readonly workspaceName: string;
  readonly keyName: string;
  readonly keyLooksLike: string;
  readonly scopes: readonly Scope[];
}

/** Why a key proves nothing. */
export type Unproved = 'unknown' | 'not_managing';

/** What people decide about programs that ask for a key. */
@Injectable()
export class ApprovalService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ring: KeyRing,
    private readonly usage: KeyUsage,
    private readonly limits: OAuthLimits,
    private readonly registered: RegisteredClients,
  ) {}

  /** The sign-in of a device that waits under a code. @throws HubError `rate_limited` after too many that do not */
  async deviceAsk(typed: string, address: string): Promise<Ask | undefined> {
    await this.limits.beforeGuess(address);
    const userCode = readUserCode(typed);
    const request = userCode && (await this.work.system(tx => waitingRequest(tx, userCode)));
    if (request) return askOf(request);
    await this.limits.countWrong(address);
    return undefined;
  }

  /** Finds out what a pasted key gives the right to. @throws HubError `rate_limited` */
  async prove(key: string, address: string): Promise<ProvedRight | Unproved> {
    await this.limits.beforeGuess(address);
    const caller = await this.ring.resolve(key.trim());
    if (!caller) {
      await this.limits.countWrong(address);
      return 'unknown';
    }
    this.usage.note(caller, 'approval page');
    return caller.scopes.includes(MANAGING_SCOPE) ? this.rightOf(caller) : 'not_managing';
  }

  /** What an approver may do now; undefined when the key has been revoked since. */
  async stillProved({ workspaceId, keyId }: Approver): Promise<ProvedRight | undefined> {
    const [row] = await this.work.run(workspaceId, tx =>
      tx.query<{ workspace: string; name: string; prefix: string; last_four: string; scopes: Scope[] }>(
        `SELECT w.name AS workspace, k.name, k.prefix, k.last_four, k.scopes
         FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
         WHERE k.workspace_id = $1 AND k.id = $2 AND k.revoked_at IS NULL AND (k.expires_at > now()) IS NOT FALSE
           AND $3 = ANY (k.scopes)`,
        [workspaceId, keyId, MANAGING_SCOPE],
      ),
    );
    return (
      row && {
        approver: { workspaceId, keyId },
        workspaceName: row.workspace,
        keyName: row.name,
        keyLooksLike: `${row.prefix}…${row.last_four}`,
        scopes: row.scopes,
      }
    );
  }

  /**
   * Grants what was asked for, as far as the approver ticked it and holds it.
   * @returns the code to hand on; `done` for a device, `late` when its sign-in no longer waits
   */
  async approve(ask: Ask, right: ProvedRight, ticked: readonly string[]): Promise<{ code: string } | 'done' | 'late'> {
    const scopes = ask.scopes.filter(scope => right.scopes.includes(scope) && ticked.includes(scope));
    if (scopes.length === 0) throw HubError.invalidRequest([{ field: 'scope', message: 'Tick at least one.' }]);
    const { workspaceId } = right.approver;
    const code = newCode({ workspaceId, grantId: ask.id });
    const request = await this.waiting(ask);
    if (ask.userCode !== undefined && request?.id !== ask.id) return 'late';
    const grant = {
      id: ask.id,
      secretHash: request ? request.deviceHash : secretHash(code),
      clientId: ask.clientId,
      name: ask.clientName,
      origin: ask.origin,
      scopes,
      redirectUri: ask.redirect?.uri ?? null,
      codeChallenge: ask.redirect?.codeChallenge ?? null,
      approvedBy: right.approver.keyId,
    };
    await this.work.run(workspaceId, tx => addGrant(tx, grant, request ? DEVICE_SECONDS : CODE_SECONDS));
    await this.registered.noteUse(ask.clientId);
    if (!request) return { code };
    return (await this.work.system(tx => answerRequest(tx, ask.id, workspaceId))) ? 'done' : 'late';
  }

  /** Turns a program away. Whoever sees its request may do that. */
  async deny(ask: Ask): Promise<void> {
    if (ask.userCode !== undefined) await this.work.system(tx => answerRequest(tx, ask.id, null));
  }

  private async waiting({ userCode }: Ask): Promise<DeviceRequest | undefined> {
    return userCode === undefined ? undefined : this.work.system(tx => waitingRequest(tx, userCode));
  }

  private async rightOf(caller: Caller): Promise<ProvedRight | Unproved> {
    return (await this.stillProved(caller)) ?? 'unknown';
  }
}

function askOf(request: DeviceRequest): Ask {
  const { id, clientId, clientName, clientHost, scopes, address, userCode } = request;
  const origin = clientId === COMMAND_LINE.id ? COMMAND_LINE.origin : 'oauth';
  return { id, clientId, clientName, ...(clientHost && { clientHost }), origin, scopes, address, userCode };
}
