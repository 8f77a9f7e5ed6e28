/** Returns the schema of a number of things. */
export const count = (description: string) => ({ type: 'integer', minimum: 0, description });
/** Returns the schema of a time that can be null. */
export const time = (description: string) => ({
  type: ['string', 'null'],
  description,
  examples: ['2026-11-20T09:30:00.000Z'],
});
