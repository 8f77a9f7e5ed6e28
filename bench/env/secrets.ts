import { randomBytes } from 'node:crypto';

/** SECRET_KEYS of the hubs of this run: they share a database. */
export const secretKeys = `bench:${randomBytes(32).toString('base64')}`;
