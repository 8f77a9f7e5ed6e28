import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { ExtendDocument } from './docs.service.js';
import { postprocessDocument } from './postprocess.js';
import { HUB_PACKAGE } from '#kernel/version.js';

const DESCRIPTION = `The context graph that sales agents act on. Facts about people and companies (claims) are derived from observations,
which are only ever added. Every claim says how fresh and how certain it is and where it comes from.

A person or company is named by its id, an e-mail address, a domain or a LinkedIn address; reads also take a name.
Every answer carries \`x-request-id\`; every error has a stable code in \`error\` and a sentence in \`detail\`. Writes may be
sent again safely with an \`Idempotency-Key\`.`;

const API_KEY_DESCRIPTION = 'An API key of the workspace. It is opaque and no JWT, so RFC8725 has no bearing on it.';

/**
 * The OpenAPI 3.1 document of the routes of an application, with the answers that all of them share.
 * @param extend adds what no controller describes
 */
export function buildOpenApiDocument(app: INestApplication, extend: ExtendDocument = () => undefined): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Rapport')
    .setDescription(DESCRIPTION)
    .setVersion(HUB_PACKAGE.version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This hub, in production or for a test', undefined, { 'x-internal': false })
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'rap_live_…', description: API_KEY_DESCRIPTION },
      'apiKey',
    )
    .addSecurityRequirements('apiKey')
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: toOperationId });
  extend(document);
  return postprocessDocument(document);
}

/** `recordObservations` for the method `record` of `ObservationsController`. */
function toOperationId(controller: string, method: string): string {
  return method + controller.replace(/Controller$/, '');
}
