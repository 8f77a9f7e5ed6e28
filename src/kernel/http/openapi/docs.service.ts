import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type DocsPage, openDocsPage } from './docs.page.js';

/** Adds operations to a document that is not complete yet. */
export type Extend = (document: OpenAPIObject) => void;

/** Keeps the document and the reference page, both made when somebody first asks for them. */
@Injectable()
export class DocsService {
  private readonly additions: Extend[] = [];
  private describe: ((extend: Extend) => OpenAPIObject) | undefined;
  private text: string | undefined;
  private opened: Promise<DocsPage> | undefined;

  /** Says how the document is made; the application, which it is made from, exists only after this service. */
  describedBy(describe: (extend: Extend) => OpenAPIObject): void {
    this.describe = describe;
  }

  /** Has `extend` add to the document what no controller describes. */
  extendedBy(extend: Extend): void {
    this.additions.push(extend);
  }

  /** The document has changed: it is made anew when somebody next asks for it. */
  forget(): void {
    this.text = undefined;
  }

  /** The OpenAPI document as JSON. */
  document(): string {
    if (!this.describe) throw new Error('nobody has said how the OpenAPI document is made');
    return (this.text ??= JSON.stringify(
      this.describe(document => this.additions.forEach(extend => extend(document))),
    ));
  }

  /** The reference page. */
  page(): Promise<DocsPage> {
    return (this.opened ??= openDocsPage());
  }
}
