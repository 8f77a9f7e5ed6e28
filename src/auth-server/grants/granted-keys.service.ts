import { Injectable } from '@nestjs/common';
import { DAY_US } from '#domain/time/instant.js';
import { ApiKeysService } from '#kernel/auth/api-keys.service.js';
import type { Tx } from '#kernel/db/transaction.js';
import { generateGrantCode, hashSecret } from './grant-code.js';
import type { GrantedAccess } from './grants.queries.js';
import { saveRefreshToken } from './refresh-tokens.queries.js';

/** Maximum number of days until an API key that was issued for a sign-in expires, by its origin. */
export const KEY_TTL_DAYS = { oauth: 90, cli: 365 } as const;
/** Days without a refresh after which a program has to sign in again. They outlast a key. */
export const REFRESH_TTL_DAYS = 180;
const US_PER_SECOND = 1_000_000;

/** The response of the token endpoint (RFC 6749, section 5.1), with the IDs of the key and the workspace. */
export interface TokenResponse {
  /** An API key of the workspace; returned only once. */
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds until the key expires. */
  readonly expires_in: number;
  /** Gets the next key without an approval, once; absent for the CLI, whose keys last for a year. */
  readonly refresh_token?: string;
  readonly scope: string;
  /** ID of the key, for revoking it. */
  readonly key_id: string;
  readonly workspace_id: string;
  readonly workspace_name: string;
}

/** Issues the API keys and refresh tokens of granted access. */
@Injectable()
export class GrantedKeysService {
  constructor(private readonly keys: ApiKeysService) {}

  /** Issues a key and, for programs other than the CLI, a refresh token that replaces the one that the sign-in had. */
  async issue(tx: Tx, access: GrantedAccess): Promise<TokenResponse> {
    const { id, name, scopes, origin, approvedBy, approverExpiresAt, workspaceName } = access;
    const now = await tx.now();
    const expiresAt = Math.min(now + KEY_TTL_DAYS[origin] * DAY_US, approverExpiresAt ?? Infinity);
    const actor = { kind: 'oauth', id } as const;
    const { apiKey, key } = await this.keys.create(tx, {
      name,
      scopes,
      origin,
      expiresAt,
      createdBy: approvedBy,
      actor,
    });
    const refreshToken = origin === 'oauth' ? await this.issueRefreshToken(tx, access, apiKey.id) : undefined;
    return {
      access_token: key,
      token_type: 'Bearer',
      expires_in: Math.floor((expiresAt - now) / US_PER_SECOND),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      scope: scopes.join(' '),
      key_id: apiKey.id,
      workspace_id: tx.workspace,
      workspace_name: workspaceName,
    };
  }

  private async issueRefreshToken(tx: Tx, access: GrantedAccess, keyId: string): Promise<string> {
    const token = generateGrantCode({ workspaceId: tx.workspace, grantId: access.id });
    await saveRefreshToken(tx, access, { secretHash: hashSecret(token), keyId, ttlDays: REFRESH_TTL_DAYS });
    return token;
  }
}
