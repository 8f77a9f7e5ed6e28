import { readFileSync } from 'node:fs';
import { Controller, Get, Header, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#kernel/auth/public.decorator.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { buildLlmsText, DOCS_TEXT_PAGES } from './llms-text.js';

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
