import { readFileSync } from 'node:fs';
import { Controller, Get, Header, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { Public } from '../../auth/caller.guard.js';

/** A page of the documentation that the hub serves as text. */
export interface DocsTextPage {
  /** Name of its file in `docs`. */
  readonly file: string;
  readonly title: string;
  /** What the page is about, in a few words. */
  readonly summary: string;
  /** A model with a small context can skip the page. */
  readonly isOptional?: boolean;
}

/** Path below which the pages are served. */
export const DOCS_TEXT_PATH = '/docs/pages';

/** Every page that the hub serves. Files that are not listed here cannot be read. */
export const DOCS_TEXT_PAGES: readonly DocsTextPage[] = [
  { file: 'quick-start.md', title: 'Quick start', summary: 'record, read, contradict and look back, with one contact' },
  {
    file: 'concepts.md',
    title: 'Concepts',
    summary: 'entities, observations, claims, freshness, confidence, identity, scores',
  },
  {
    file: 'vocabulary.md',
    title: 'Vocabulary',
    summary: 'properties and events that scoring, attention and context look up',
  },
  { file: 'scoring.md', title: 'Scoring model', summary: 'rules from words and from customers won and lost' },
  { file: 'authentication.md', title: 'Authentication', summary: 'API keys, scopes, OAuth, device sign-in' },
  { file: 'mcp.md', title: 'MCP', summary: 'connecting agents, tools, tool filters' },
  { file: 'errors.md', title: 'Errors', summary: 'every error code with its cause and its fix' },
  { file: 'idempotency.md', title: 'Idempotency', summary: 'safe retries' },
  {
    file: 'pagination-and-filters.md',
    title: 'Pagination and filters',
    summary: 'cursors, filters, sorting, lists of the past',
  },
  { file: 'changes.md', title: 'Changes', summary: 'what changed since a cursor, for systems that follow the graph' },
  { file: 'webhooks.md', title: 'Webhooks', summary: 'triggers that call your URL, and webhooks of providers' },
  { file: 'notes-search.md', title: 'Notes search', summary: 'how notes are ranked, and how well' },
  {
    file: 'crm-sync.md',
    title: 'CRM sync',
    summary: 'contacts, companies and deals of HubSpot, Salesforce, Pipedrive or Attio',
  },
  { file: 'crm-adapters.md', title: 'CRM adapters', summary: 'adding another CRM', isOptional: true },
  { file: 'imports.md', title: 'Imports', summary: 'CSV files as people, lead lists, companies and notes' },
  { file: 'cli.md', title: 'Command line', summary: '`rapport login`, `record`, `import`, `doctor` and more' },
  { file: 'plugins.md', title: 'Plugins', summary: 'writing an integration', isOptional: true },
  { file: 'plugin-files.md', title: 'Files of plugins', summary: 'uploads, storage, downloads', isOptional: true },
  { file: 'plugin-runs.md', title: 'Runs of plugins', summary: 'long work in steps', isOptional: true },
  {
    file: 'plugins-reference.md',
    title: 'Plugin SDK reference',
    summary: 'every export of the SDK; long',
    isOptional: true,
  },
  {
    file: 'operations.md',
    title: 'Operations',
    summary: 'settings, processes, PostgreSQL, Redis, metrics, backup',
    isOptional: true,
  },
  {
    file: 'backup.md',
    title: 'Backup and restore',
    summary: 'logical, physical, to a point in time',
    isOptional: true,
  },
  {
    file: 'security.md',
    title: 'Security',
    summary: 'tenant isolation, secrets, outgoing requests, plugins',
    isOptional: true,
  },
  {
    file: 'privacy.md',
    title: 'Privacy',
    summary: 'what is held, for how long, rights of people, who receives data',
    isOptional: true,
  },
  {
    file: 'write-path.md',
    title: 'Write path',
    summary: 'batches, pipeline and plans, and how to turn them off',
    isOptional: true,
  },
  {
    file: 'benchmarks.md',
    title: 'Benchmarks',
    summary: 'measurements next to plain SQL and to peers',
    isOptional: true,
  },
];

/**
 * Writes `/llms.txt`, the overview for language models, in the format of https://llmstxt.org: a title, a summary in a
 * quote, prose without headings, and sections that are lists of links.
 * @param publicUrl URL at which users reach the hub, without a slash at its end
 */
export function buildLlmsText(publicUrl: string): string {
  const listPages = (isOptional: boolean): string =>
    DOCS_TEXT_PAGES.filter(page => (page.isOptional ?? false) === isOptional)
      .map(({ file, title, summary }) => `- [${title}](${publicUrl}${DOCS_TEXT_PATH}/${file}): ${summary}`)
      .join('\n');
  return `# Rapport

> Rapport is the context graph that sales agents act on. It stores what is known about people and companies, and how well
> it is known. Observations (events and facts, with source and time) go in; claims come out, each with its value,
> confidence, freshness, sources and the statements that contradict it.

There are two ways in, a REST API and an MCP server. Both work on the same graph. Act on a claim that is \`fresh\`, not
\`inferred\`, and has a confidence above 0.7; verify any other claim first.

**Authentication.** Every request to the API carries an API key of one workspace, as \`Authorization: Bearer <key>\`. The key
selects the workspace. A key with the scope \`admin\` creates others: \`POST ${publicUrl}/v2/api-keys\`.

**MCP.** The server is at ${publicUrl}/mcp (streamable HTTP, POST only). Send an API key in the same header, or let the
client sign in with OAuth 2.1: it finds all it needs from the 401 response.

**First request.** Put a key into the variable \`KEY\`. This returns how far the workspace is set up and what to do next:

\`\`\`sh
curl -sS ${publicUrl}/v2/workspace/status -H "Authorization: Bearer $KEY"
\`\`\`

## Reference

- [OpenAPI document](${publicUrl}/openapi.json): every operation of the REST API with an example, OpenAPI 3.1
- [API reference](${publicUrl}/docs): the same as a page for browsers

## Documentation

${listPages(false)}

## Optional

${listPages(true)}
`;
}

const DOCS_DIR = new URL('../../../../docs/', import.meta.url);

/** The documentation as text: an overview for language models, and the pages that it links to. */
@Public()
@ApiExcludeController()
@Controller()
export class LlmsController {
  private readonly overviewText: string;
  /** Read once, at start: no request names a file of the disk. */
  private readonly pages: ReadonlyMap<string, string> = new Map(
    DOCS_TEXT_PAGES.map(({ file }) => [file, readFileSync(new URL(file, DOCS_DIR), 'utf8')]),
  );

  constructor(@Inject(ENV) { publicUrl }: Env) {
    this.overviewText = buildLlmsText(publicUrl);
  }

  /** Returns the overview. */
  @Get('llms.txt')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'public, max-age=60')
  overview(): string {
    return this.overviewText;
  }

  /** Returns a page as Markdown. @throws HubError `not_found` for a name that is not listed */
  @Get('docs/pages/:file')
  page(@Param('file') file: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    const text = this.pages.get(file);
    if (text === undefined) throw new HubError('not_found');
    // Set here and not by a decorator, so that no cache keeps the error.
    reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=60' });
    return text;
  }
}
