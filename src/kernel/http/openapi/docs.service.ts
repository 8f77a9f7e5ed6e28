import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type DocsPage, openDocsPage } from './docs.page.js';

/** Keeps the document and the reference page, both made when somebody first asks for them. */
@Injectable()
export class DocsService {
  private describe: (() => OpenAPIObject) | undefined;
  private text: string | undefined;
  private opened: Promise<DocsPage> | undefined;

  /** Says how the document is made; the application, which it is made from, exists only after this service. */
  describedBy(describe: () => OpenAPIObject): void {
    this.describe = describe;
  }

  /** The OpenAPI document as JSON. */
  document(): string {
    if (!this.describe) throw new Error('nobody has said how the OpenAPI document is made');
    return (this.text ??= JSON.stringify(this.describe()));
  }

  /** The reference page. */
  page(): Promise<DocsPage> {
    return (this.opened ??= openDocsPage());
  }
}
