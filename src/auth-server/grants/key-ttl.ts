/** Days that a key made by signing in lives, by its origin. Then its program signs in again. */
export const KEY_TTL_DAYS = { oauth: 90, cli: 365 } as const;
