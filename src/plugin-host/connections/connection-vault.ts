import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import type { Connection, SealedFields } from './connection.js';

/** Which connection secrets belong to. */
type Owner = Pick<Connection, 'workspaceId' | 'id'>;

/** What is made for a connection of its own. */
export interface WebhookSecrets {
  readonly token: string;
  readonly secret: string;
}

/** Seals and opens what a connection may not have written down as it is. */
@Injectable()
export class ConnectionVault {
  constructor(private readonly box: SecretBox) {}

  /** Seals every field; which of them are secret does not matter here. */
  sealCredentials(owner: Owner, credentials: Readonly<Record<string, unknown>>): SealedFields {
    return mapFields(credentials, (value, field) => this.seal(owner, 'credentials', field, JSON.stringify(value)));
  }

  /** @throws CannotOpen when SECRET_KEYS lacks the key, or a row was tampered with. */
  openCredentials(connection: Pick<Connection, 'workspaceId' | 'id' | 'credentials'>): Record<string, unknown> {
    return mapFields(connection.credentials, (sealed, field): unknown =>
      JSON.parse(this.open(connection, 'credentials', field, sealed)),
    );
  }

  /** Makes the address and the signing secret of a connection. */
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

  /** @throws CannotOpen */
  openWebhookSecrets(connection: Pick<Connection, 'workspaceId' | 'id' | 'webhookSecrets'>): WebhookSecrets {
    const part = (field: string) => this.open(connection, 'webhook', field, connection.webhookSecrets[field] ?? '');
    return { token: part('token'), secret: part('secret') };
  }

  /** The same fields under the current key; undefined when all of them are. @throws CannotOpen */
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

/** By what a webhook address is found. The address itself is sealed like a password. */
export function hashWebhookToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The workspace that a webhook address claims to be of; undefined for what is no token of ours. */
export function parseWorkspaceId(token: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{54}$/.test(token)) return undefined;
  const hex = Buffer.from(token.slice(0, 22), 'base64url').toString('hex');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  return token.startsWith(encodeWorkspaceId(id)) ? id : undefined;
}

/**
 * 22 characters that name the workspace, so that a delivery goes straight into its tenant context without a directory
 * of all tenants, and 32 of chance (192 bits).
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
