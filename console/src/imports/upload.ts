import { HubError } from '../api/client.ts';
import type { FileImport } from './types.ts';

/**
 * Uploads a file for a preview, and tells how far it is.
 * @param onProgress receives the part that was sent, 0 to 1
 * @param sheet name of the sheet of a workbook. Defaults to its first visible one.
 * @throws HubError as the hub refuses it
 */
export function uploadFile(
  workspaceId: string,
  file: File,
  onProgress: (part: number) => void,
  sheet?: string,
): Promise<FileImport> {
  const { promise, resolve, reject } = Promise.withResolvers<FileImport>();
  // `fetch` does not tell how much of a body was sent.
  const request = new XMLHttpRequest();
  request.open('POST', '/v2/plugins/csv-import/imports');
  request.setRequestHeader('x-rapport-client', 'console');
  request.setRequestHeader('x-rapport-workspace', workspaceId);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
  request.addEventListener('load', () => {
    const body = request.response as { import: FileImport } & {
      error?: string;
      detail?: string;
      request_id?: string;
    };
    if (request.status < 300) return resolve(body.import);
    reject(new HubError(request.status, body?.error ?? 'unknown', body?.detail ?? '', body?.request_id));
  });
  request.addEventListener('error', () => reject(new Error('The upload was interrupted.')));
  const form = new FormData();
  // Options stand before the file, because the hub reads the form as it arrives.
  if (sheet !== undefined) form.append('sheet', sheet);
  form.append('file', file);
  request.send(form);
  return promise;
}
