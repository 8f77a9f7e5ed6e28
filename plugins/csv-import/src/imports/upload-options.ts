import type { FailureResponse } from '@rapport/plugin-sdk';
import { BYTE_ORDER_MARKS, type DetectedEncoding, type Encoding, ENCODINGS } from '../reading/encoding.js';
import { toErrorResponse } from './responses.js';

/** What the sender of a file says about it. */
export interface UploadOptions {
  readonly encoding: Encoding | undefined;
  readonly delimiter: string | null;
  readonly header_line: number | null;
  readonly file_date: string | undefined;
  readonly sheet: string | undefined;
}

/** Returns an encoding that somebody chose. @param head first bytes of the file */
export function nameEncoding(encoding: Encoding, head: Buffer): DetectedEncoding {
  const bom = BYTE_ORDER_MARKS.find(mark => mark.encoding === encoding);
  const hasBom = bom?.bytes.every((byte, index) => head[index] === byte) ?? false;
  return { encoding, reason: 'It was given.', bomBytes: hasBom ? bom!.bytes.length : 0, doubtfulLine: null };
}

/** Reads the options of an upload, which come from the query or from fields of the form. */
export function parseOptions(
  given: Readonly<Record<string, string>>,
): { options: UploadOptions } | { error: FailureResponse } {
  const { encoding, delimiter, header_line, file_date, sheet } = given;
  if (encoding !== undefined && !(ENCODINGS as readonly string[]).includes(encoding)) {
    return {
      error: toErrorResponse('invalid_request', `\`encoding\` must be one of ${ENCODINGS.join(', ')}.`, 'encoding'),
    };
  }
  const separator = delimiter === 'tab' ? '\t' : delimiter;
  if (separator !== undefined && !/^[^"\r\n]$/.test(separator)) {
    return { error: toErrorResponse('invalid_request', '`delimiter` must be one character, or `tab`.', 'delimiter') };
  }
  if (header_line !== undefined && !/^\d{1,5}$/.test(header_line)) {
    const detail = '`header_line` must be the number of a line, or 0 for a file without a header.';
    return { error: toErrorResponse('invalid_request', detail, 'header_line') };
  }
  const date = file_date === undefined ? undefined : new Date(file_date);
  if (date && Number.isNaN(date.getTime())) {
    return { error: toErrorResponse('invalid_request', '`file_date` must be a date such as 2025-03-31.', 'file_date') };
  }
  const options = {
    encoding: encoding as Encoding | undefined,
    delimiter: separator ?? null,
    header_line: header_line === undefined ? null : Number(header_line),
    file_date: date?.toISOString(),
    sheet: sheet || undefined,
  };
  return { options };
}
