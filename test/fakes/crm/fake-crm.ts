import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** A response of a fake. */
export interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

/** Fields of a contact, whatever a CRM calls them. */
export interface ContactFields {
  readonly email?: string;
  readonly name?: string;
  readonly title?: string | null;
  readonly phone?: string;
  /** Whether Olga Owner is responsible. */
  readonly isOwned?: boolean;
}

/** A CRM as a real HTTP server on loopback, with what tests of every provider need. */
export abstract class FakeCrm {
  readonly asked: Asked[] = [];
  /** Replies of the next requests, before those of the fake. */
  readonly faults: Reply[] = [];
  /** Records that are refused when they are written, with the reason. */
  readonly refused = new Map<string, string>();
  /** Whether it can list what has changed. Otherwise everything is read each time. */
  readonly tellsChanges: boolean = true;
  /** Settings that its contacts and companies need to have an owner and a headcount. */
  readonly settings: object = {};
  /** ID of the account that the token is of. */
  account = 1;
  /** Number of next writes that take effect, and whose reply is lost. */
  lostReplies = 0;
  private readonly server = createServer((request, response) => void this.take(request, response));

  /** A token that it accepts. */
  abstract readonly token: string;
  /** Value of the setting `provider`. */
  abstract readonly provider: string;
  /** What it says if it is called too often. */
  abstract readonly tooManyRequests: Reply;

  /** Creates a company, or changes fields of one. */
  abstract putCompany(
    id: string,
    fields: { readonly name?: string; readonly domain?: string; readonly headcount?: number },
    updatedAt: string,
  ): void;
  /** Creates a contact, or changes fields of one. */
  abstract putContact(id: string, fields: ContactFields, updatedAt: string): void;
  /** Creates a deal of a company and a contact, or changes its stage. */
  abstract putDeal(
    id: string,
    deal: { readonly stage: 'open' | 'won'; readonly companyId: string; readonly contactId: string },
    updatedAt: string,
  ): void;
  /** Returns values of a contact, or undefined without the contact. */
  abstract contactOf(id: string): { readonly title: string | null; readonly phone: string | null } | undefined;
  /** Returns the IDs of the contacts with an address. */
  abstract contactsWith(email: string): readonly string[];
  /** Deletes a contact. */
  abstract deleteContact(id: string): void;
  /** Restores a contact that was deleted. */
  abstract restoreContact(id: string): void;
  /** Returns whether a request writes records. */
  abstract isWrite(asked: Pick<Asked, 'method' | 'path'>): boolean;
  protected abstract reply(asked: Asked): Reply;
  protected abstract clear(): void;

  /** Listens on a free port. */
  async listen(): Promise<this> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The requests that wrote records. */
  get writes(): readonly Asked[] {
    return this.asked.filter(asked => this.isWrite(asked));
  }

  /** Forgets records, requests and faults. */
  reset(): void {
    this.clear();
    this.refused.clear();
    this.faults.length = 0;
    this.asked.length = 0;
    this.lostReplies = 0;
    this.account = 1;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise(resolve => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://fake');
    const given = await text(request);
    const body = given === '' ? {} : (JSON.parse(given) as Record<string, unknown>);
    const { method, headers } = request;
    const asked = { method: method!, path: url.pathname, query: url.searchParams, headers, body };
    this.asked.push(asked);
    const { status, body: reply, headers: sent } = this.faults.shift() ?? this.reply(asked);
    if (this.lostReplies > 0 && this.isWrite(asked)) {
      this.lostReplies -= 1;
      response.writeHead(504).end();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...sent }).end(JSON.stringify(reply));
  }
}
