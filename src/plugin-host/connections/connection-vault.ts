import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import type { Connection, SealedFields } from './connection.js';

/** Identifies the connection that secrets belong to. */
type Owner = Pick<Connection, 'workspaceId' | 'id'>;

/** A connection with what is sealed of it. */
type SealedConnection = Pick<Connection, 'workspaceId' | 'id' | 'credentials' | 'webhookSecrets'>;

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
  isLocked({ workspaceId, id, credentials, webhookSecrets }: SealedConnection): boolean {
    const canOpenAll = (group: 'credentials' | 'webhook', fields: SealedFields) =>
      Object.entries(fields).every(([field, sealed]) =>
        this.box.canOpen({ workspace: workspaceId, owner: id, field: `${group}.${field}` }, sealed),
      );
    return !canOpenAll('credentials', credentials) || !canOpenAll('webhook', webhookSecrets);
  }

  /** Generates the webhook token and the signing secret of a connection. */
  createWebhookSecrets(owner: Owner): {
    readonly open: WebhookSecrets;
    readonly sealed: SealedFields;
    readonly hash: Buffer;
  } {
    const open = { token: generateToken(owner.workspaceId), secret: randomBytes(32).toString('hex') };
    return {
      open,
      sealed: mapFields(open, (text, field) => this.seal(owner, 'webhook', field, text)),
      hash: hashWebhookToken(open.token),
    };
  }

  /** Decrypts the webhook token and the signing secret. @throws UnsealError */
  openWebhookSecrets(connection: Pick<Connection, 'workspaceId' | 'id' | 'webhookSecrets'>): WebhookSecrets {
    const openField = (field: string) =>
      this.open(connection, 'webhook', field, connection.webhookSecrets[field] ?? '');
    return { token: openField('token'), secret: openField('secret') };
  }

  /** Seals fields under the current key; returns undefined if all of them are already. @throws UnsealError */
  reseal(owner: Owner, group: 'credentials' | 'webhook', fields: SealedFields): SealedFields | undefined {
    if (Object.values(fields).every(sealed => this.box.isCurrent(sealed))) return undefined;
    return mapFields(fields, (sealed, field) => this.seal(owner, group, field, this.open(owner, group, field, sealed)));
  }

  private seal({ workspaceId, id }: Owner, group: string, field: string, text: string): string {
    return this.box.seal({ workspace: workspaceId, owner: id, field: `${group}.${field}` }, text);
  }

  private open({ workspaceId, id }: Owner, group: string, field: string, sealed: string): string {
    return this.box.open({ workspace: workspaceId, owner: id, field: `${group}.${field}` }, sealed);
  }
}

/** Returns the SHA-256 by which a webhook token is looked up. The token itself is stored sealed. */
export function hashWebhookToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the workspace ID in a webhook token; undefined if the token is malformed. The token is not verified. */
export function parseWorkspaceId(token: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{54}$/.test(token)) return undefined;
  const hex = Buffer.from(token.slice(0, 22), 'base64url').toString('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return token.startsWith(encodeWorkspaceId(id)) ? id : undefined;
}

/**
 * Generates a token: 22 characters that encode the workspace ID, so that a delivery enters its tenant context without a
 * lookup across tenants, and 32 random ones (192 bits).
 */
function generateToken(workspaceId: string): string {
  return encodeWorkspaceId(workspaceId) + randomBytes(24).toString('base64url');
}

function encodeWorkspaceId(workspaceId: string): string {
  return Buffer.from(workspaceId.replaceAll('-', ''), 'hex').toString('base64url');
}

function mapFields<Value, Result>(
  fields: Readonly<Record<string, Value>>,
  map: (value: Value, field: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, map(value, field)]));
}
