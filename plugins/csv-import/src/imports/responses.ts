import type { FailureResponse } from '@rapport/plugin-sdk';

/** Builds an error response. @param status HTTP status. Default: 400 */
export function toErrorResponse(
  error: string,
  detail: string,
  field?: string,
  status: FailureResponse['status'] = 400,
): FailureResponse {
  return { status, body: { error, detail, ...(field !== undefined && { details: [{ field, message: detail }] }) } };
}

/** Builds the 404 response for an unknown import. */
export function createNotFoundResponse(): FailureResponse {
  const detail = 'The import does not exist. GET /v2/plugins/csv-import/imports lists the existing ones.';
  return toErrorResponse('import_not_found', detail, undefined, 404);
}
