import type { ErrorBody } from '../graph/graph-calls.js';
import { BrowserSession, type Reply } from '../browser-session.js';

/** A request of a program, as the approval page gets it. */
export interface ShownApproval extends Partial<ErrorBody> {
  readonly program: Readonly<Record<string, string | null>>;
  readonly scopes: readonly { readonly scope: string; readonly preselected: boolean }[];
  readonly key_days: number;
  readonly renewal_days: number | null;
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly scopes: readonly string[] }[];
}

/** A request of a program with the ticket by which it is decided. */
export type OpenedApproval = Reply<ShownApproval> & { readonly ticket: string };

/** The answer to a decision. */
export interface DecisionBody extends Partial<ErrorBody> {
  readonly approved: boolean;
  readonly redirect_to: string | null;
}

/** What a key can approve. */
interface IdentifiedKey extends Partial<ErrorBody> {
  readonly name: string;
  readonly workspace?: { readonly name: string; readonly scopes: readonly string[] };
}

/** Where a decision leads the browser, if it does. */
export type DecisionReply = Reply<DecisionBody> & { readonly location: URL | undefined };

/** A person at a browser who decides about programs, as the approval page of the console does for them. */
export class BrowserUser extends BrowserSession {
  constructor(hub: string, publicUrl: string) {
    super(hub, { origin: publicUrl });
  }

  /** Opens the address to which a program sends a browser, and reads its request as the page does. */
  async openApproval(address: string | URL): Promise<OpenedApproval> {
    const { location } = new URL(address, 'http://hub.test').pathname === '/approve' ? {} : await this.open(address);
    const { searchParams } = new URL(location ?? address, 'http://hub.test');
    const ticket = searchParams.get('ticket') ?? searchParams.get('user_code') ?? '';
    const query = new URLSearchParams({ ticket });
    return { ...(await this.send<ShownApproval>('GET', `/auth/approvals?${query}`)), ticket };
  }

  /** Approves a request with these scopes, or with those that the page selects at first. */
  approve({ ticket, body }: OpenedApproval, more: Readonly<Record<string, unknown>> = {}): Promise<DecisionReply> {
    const scopes = listPreselected(body, body.workspaces[0]?.scopes);
    return this.decide({ ticket, approve: true, scopes, ...(body.user && { user_id: body.user.id }), ...more });
  }

  /** Opens the address of a program, and approves it by a key with what the page selects at first. */
  async approveByKey(
    address: string | URL,
    key: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<DecisionReply> {
    const { ticket, body } = await this.openApproval(address);
    const scopes = listPreselected(body, (await this.identify(ticket, key)).body.workspace?.scopes);
    return this.decide({ ticket, approve: true, scopes, api_key: key, ...more });
  }

  /** Shows a key, and reads what it can approve. */
  identify(ticket: string, key: string) {
    return this.send<IdentifiedKey>('POST', '/auth/approvals/key', { ticket, api_key: key });
  }

  /** Denies a request. */
  deny({ ticket }: OpenedApproval, more: Readonly<Record<string, unknown>> = {}): Promise<DecisionReply> {
    return this.decide({ ticket, approve: false, ...more });
  }

  private async decide(body: object): Promise<DecisionReply> {
    const reply = await this.send<DecisionBody>('POST', '/auth/approvals/decision', body);
    const { redirect_to } = reply.body;
    return { ...reply, location: redirect_to ? new URL(redirect_to) : undefined };
  }
}

/** Returns the scopes that the page selects at first, of those that the approver holds. */
function listPreselected({ scopes }: ShownApproval, held: readonly string[] = []): string[] {
  return scopes.filter(each => each.preselected && held.includes(each.scope)).map(({ scope }) => scope);
}
