import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../../auth/caller.guard.js';
import { pageHeaders } from '../security-headers.js';
import { DocsService } from './docs.service.js';

/** The description of the interface: for programs, and as a page for people. */
@Public()
@ApiExcludeController()
@Controller()
export class OpenApiController {
  constructor(private readonly docs: DocsService) {}

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=60')
  document(): string {
    return this.docs.document();
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  async page(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { html, policy } = await this.docs.page();
    reply.headers(pageHeaders).header('content-security-policy', policy);
    return html;
  }

  @Get('docs/scalar.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  async script(): Promise<string> {
    return (await this.docs.page()).script;
  }
}
