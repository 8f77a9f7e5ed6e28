/**
 * Any JSON value: the type of data exchanged between the hub and a plugin, and of stored values.
 * @example const cursor: Json = { after: '2026-11-20T09:00:00.000Z', page: 3 };
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A JSON object.
 * @example const details: JsonObject = { title: 'Demo', minutes: 30 };
 */
export type JsonObject = { readonly [key: string]: Json };
