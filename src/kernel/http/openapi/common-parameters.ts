/** Headers that operations take, described once: an operation only has to name them. */
export const commonParameters: Readonly<Record<string, object>> = {
  'Idempotency-Key': {
    description:
      'Any text of your own that names this request. Sent again within 24 hours with the same key, the request is ' +
      'not carried out twice: the first answer comes back, with `Idempotent-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: 'import-2026-11-20-row-17',
  },
};
