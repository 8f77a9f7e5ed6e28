import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type DocsPage, buildDocsPage } from './docs-page.js';

/** Adds operations to a document that is not complete yet. */
export type ExtendDocument = (document: OpenAPIObject) => void;

/** Keeps the document and the reference page, both made when somebody first asks for them. */
@Injectable()
export class DocsService {
  private readonly extensions: ExtendDocument[] = [];
  private buildDocument: ((extend: ExtendDocument) => OpenAPIObject) | undefined;
  private text: string | undefined;
  private pagePromise: Promise<DocsPage> | undefined;

  /** Says how the document is made; the application, which it is made from, exists only after this service. */
  setDocumentBuilder(describe: (extend: ExtendDocument) => OpenAPIObject): void {
    this.buildDocument = describe;
  }

  /** Has `extend` add to the document what no controller describes. */
  addExtension(extend: ExtendDocument): void {
    this.extensions.push(extend);
  }

  /** Discards the document; the next request builds it again. */
  invalidate(): void {
    this.text = undefined;
  }

  /** The OpenAPI document as JSON. */
  document(): string {
    if (!this.buildDocument) throw new Error('No function builds the OpenAPI document.');
    return (this.text ??= JSON.stringify(
      this.buildDocument(document => this.extensions.forEach(extend => extend(document))),
    ));
  }

  /** The reference page. */
  page(): Promise<DocsPage> {
    return (this.pagePromise ??= buildDocsPage());
  }
}
