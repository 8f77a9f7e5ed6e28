/** Request headers shared by operations, keyed by name. An operation only declares the name. */
export const commonParameters: Readonly<Record<string, object>> = {
  'Idempotency-Key': {
    description:
      'Unique key of your choice for this request, at most 255 printable characters. Repeating the request with the ' +
      'same key within 24 hours returns the first response with `Idempotent-Replayed: true` and does nothing again. ' +
      'The same key with a different request returns 409 `idempotency_conflict`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
};
