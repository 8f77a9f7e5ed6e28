import {
  Client as ModernClient,
  type OAuthClientProvider as ModernProvider,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** An agent of its own, that remembers what an official client gives it to keep. */
export class AgentMemory {
  readonly redirectUrl = 'http://127.0.0.1:49152/callback';
  readonly clientMetadata = { client_name: 'Test <b>Agent</b>', redirect_uris: [this.redirectUrl] };
  readonly kept: { client?: unknown; tokens?: unknown; verifier?: string; sentTo?: URL; found?: unknown } = {};

  state = () => 'a state of its own';
  clientInformation = () => this.kept.client;
  saveClientInformation = (client: unknown) => void (this.kept.client = client);
  tokens = () => this.kept.tokens;
  saveTokens = (tokens: unknown) => void (this.kept.tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.kept.sentTo = url);
  saveCodeVerifier = (verifier: string) => void (this.kept.verifier = verifier);
  discoveryState = () => this.kept.found;
  saveDiscoveryState = (found: unknown) => void (this.kept.found = found);
  codeVerifier = () => this.kept.verifier!;
}

/** An official client on its way in. */
export interface ArrivingAgent {
  /** Tries to connect. @throws the client's UnauthorizedError, having sent somebody to the approval page */
  connect(): Promise<void>;
  /** Takes what the browser was led back with. */
  finish(callback: URL): Promise<void>;
  /** Connects with what it has got, and lists the tools. */
  tools(): Promise<string[]>;
}

const INFO = { name: 'rapport-tests', version: '1.0.0' };

/** Both official clients, which do discovery, registration and PKCE by themselves. */
export const ARRIVING: readonly (readonly [string, (mcp: URL, memory: AgentMemory) => ArrivingAgent])[] = [
  [
    'the official client 1.x',
    (mcp, memory) => {
      const open = () =>
        new StreamableHTTPClientTransport(mcp, { authProvider: memory as unknown as OAuthClientProvider });
      const first = open();
      return {
        connect: () => new Client(INFO).connect(first),
        finish: ({ searchParams }) => first.finishAuth(searchParams.get('code')!),
        tools: async () => {
          const client = new Client(INFO);
          await client.connect(open());
          const { tools } = await client.listTools();
          await client.close();
          return tools.map(({ name }) => name);
        },
      };
    },
  ],
  [
    'the official client 2.x',
    (mcp, memory) => {
      const open = () => new ModernTransport(mcp, { authProvider: memory as unknown as ModernProvider });
      const first = open();
      return {
        connect: () => new ModernClient(INFO).connect(first),
        finish: ({ searchParams }) => first.finishAuth(searchParams),
        tools: async () => {
          const client = new ModernClient(INFO);
          await client.connect(open());
          const { tools } = await client.listTools();
          await client.close();
          return tools.map(({ name }) => name);
        },
      };
    },
  ],
];
