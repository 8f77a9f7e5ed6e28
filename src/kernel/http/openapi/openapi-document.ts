import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { ExtendDocument } from './docs.service.js';
import { postprocessDocument } from './postprocess.js';
import { SESSION_COOKIE } from '#kernel/auth/session-authenticator.js';
import { HUB_PACKAGE } from '#kernel/version.js';

const DESCRIPTION = `Rapport keeps the context graph that sales agents act on. Facts about people and companies (claims) are derived from an
append-only history of observations. Every claim carries its confidence, its freshness and its sources.

**Authentication.** Send a workspace API key as \`Authorization: Bearer <key>\`.

**Identifiers.** Refer to a person or company by entity ID, e-mail address, domain or LinkedIn URL. Reads also accept a name; if
it matches more than one entity, the response has \`status: "ambiguous"\` and lists \`candidates\`.

**Errors.** Every error has a stable code in \`error\` and an explanation in \`detail\`. Every response has an \`x-request-id\`.

**Retries.** Repeat a write safely by sending the same \`Idempotency-Key\`.

**Agents.** The same graph is available over MCP at \`/mcp\`; \`/llms.txt\` is an overview as plain text.`;

const API_KEY_DESCRIPTION = 'Workspace API key, sent as `Authorization: Bearer <key>`.';

const SESSION_DESCRIPTION =
  'Session of a person, which `POST /auth/sign-in` sets; with https its name begins with `__Secure-`. Requests that change ' +
  'something need the `Origin` of the hub and `X-Rapport-Client: console`.';

/**
 * Builds the OpenAPI 3.1 document of an application, including the responses that all operations share.
 * @param extend adds operations that no controller describes, such as plugin routes
 */
export function buildOpenApiDocument(app: INestApplication, extend: ExtendDocument = () => undefined): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Rapport')
    .setDescription(DESCRIPTION)
    .setVersion(HUB_PACKAGE.version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This hub')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'rap_live_…', description: API_KEY_DESCRIPTION },
      'apiKey',
    )
    .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', in: 'cookie', description: SESSION_DESCRIPTION }, 'session')
    .addSecurityRequirements('apiKey')
    .addSecurityRequirements('session')
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: toOperationId });
  extend(document);
  return postprocessDocument(document);
}

/** Returns the default operation ID: `recordObservations` for `ObservationsController.record`. */
function toOperationId(controller: string, method: string): string {
  return method + controller.replace(/Controller$/, '');
}
