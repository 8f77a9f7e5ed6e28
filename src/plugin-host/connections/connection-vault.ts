import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import type { Connection, SealedFields } from './connection.js';
import { generateWorkspaceToken, hashWorkspaceToken } from './workspace-token.js';

/** Identifies the connection that secrets belong to. */
type Owner = Pick<Connection, 'workspaceId' | 'id'>;

/** A connection with what is sealed of it. */
type SealedConnection = Pick<Connection, 'workspaceId' | 'id' | 'credentials' | 'webhookSecrets' | 'tokens'>;

/** The groups of sealed fields, of which the seal names one. */
type SecretGroup = 'credentials' | 'webhook' | 'tokens';

/** OAuth 2.0 tokens in clear text. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/** The webhook token and signing secret that the hub generates for a connection. */
export interface WebhookSecrets {
  readonly token: string;
  readonly secret: string;
}

/** Seals and opens the secrets of connections. */
@Injectable()
export class ConnectionVault {
  constructor(private readonly box: SecretBox) {}

  /** Seals every field, whether or not the manifest declares it secret. */
  sealCredentials(owner: Owner, credentials: Readonly<Record<string, unknown>>): SealedFields {
    return mapFields(credentials, (value, field) => this.seal(owner, 'credentials', field, JSON.stringify(value)));
  }

  /** Decrypts the credentials. @throws UnsealError if SECRET_KEYS lacks the key, or the row was tampered with */
  openCredentials(connection: Pick<Connection, 'workspaceId' | 'id' | 'credentials'>): Record<string, unknown> {
    return mapFields(connection.credentials, (sealed, field): unknown =>
      JSON.parse(this.open(connection, 'credentials', field, sealed)),
    );
  }

  /** Returns whether SECRET_KEYS cannot open a secret of the connection: its key is missing, or another one has its ID. */
  isLocked({ workspaceId, id, credentials, webhookSecrets, tokens }: SealedConnection): boolean {
    const canOpenAll = (group: SecretGroup, fields: SealedFields) =>
      Object.entries(fields).every(([field, sealed]) =>
        this.box.canOpen({ workspace: workspaceId, owner: id, field: `${group}.${field}` }, sealed),
      );
    return !(
      canOpenAll('credentials', credentials) &&
      canOpenAll('webhook', webhookSecrets) &&
      canOpenAll('tokens', tokens ?? {})
    );
  }

  /** Seals OAuth 2.0 tokens. */
  sealTokens(owner: Owner, { accessToken, refreshToken }: TokenPair): SealedFields {
    const tokens = { access_token: accessToken, ...(refreshToken !== undefined && { refresh_token: refreshToken }) };
    return mapFields(tokens, (text, field) => this.seal(owner, 'tokens', field, text));
  }

  /** Decrypts OAuth 2.0 tokens. @throws UnsealError */
  openTokens(owner: Owner, sealed: SealedFields): TokenPair {
    const { access_token = '', refresh_token } = sealed;
    return {
      accessToken: this.open(owner, 'tokens', 'access_token', access_token),
      refreshToken: refresh_token && this.open(owner, 'tokens', 'refresh_token', refresh_token),
    };
  }

  /** Generates the webhook token and the signing secret of a connection. */
  createWebhookSecrets(owner: Owner): {
    readonly open: WebhookSecrets;
    readonly sealed: SealedFields;
    readonly hash: Buffer;
  } {
    const open = { token: generateWorkspaceToken(owner.workspaceId), secret: randomBytes(32).toString('hex') };
    return {
      open,
      sealed: mapFields(open, (text, field) => this.seal(owner, 'webhook', field, text)),
      hash: hashWorkspaceToken(open.token),
    };
  }

  /** Decrypts the webhook token and the signing secret. @throws UnsealError */
  openWebhookSecrets(connection: Pick<Connection, 'workspaceId' | 'id' | 'webhookSecrets'>): WebhookSecrets {
    const openField = (field: string) =>
      this.open(connection, 'webhook', field, connection.webhookSecrets[field] ?? '');
    return { token: openField('token'), secret: openField('secret') };
  }

  /** Seals fields under the current key; returns undefined if all of them are already. @throws UnsealError */
  reseal(owner: Owner, group: SecretGroup, fields: SealedFields): SealedFields | undefined {
    if (Object.values(fields).every(sealed => this.box.isCurrent(sealed))) return undefined;
    return mapFields(fields, (sealed, field) => this.seal(owner, group, field, this.open(owner, group, field, sealed)));
  }

  private seal({ workspaceId, id }: Owner, group: SecretGroup, field: string, text: string): string {
    return this.box.seal({ workspace: workspaceId, owner: id, field: `${group}.${field}` }, text);
  }

  private open({ workspaceId, id }: Owner, group: SecretGroup, field: string, sealed: string): string {
    return this.box.open({ workspace: workspaceId, owner: id, field: `${group}.${field}` }, sealed);
  }
}

function mapFields<Value, Result>(
  fields: Readonly<Record<string, Value>>,
  map: (value: Value, field: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, map(value, field)]));
}
