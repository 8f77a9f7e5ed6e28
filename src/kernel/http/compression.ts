import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Smaller responses are sent as they are: a header would cost as much as compressing saves. In bytes. */
const MIN_BYTES = 4 * 1024;
/** Larger responses are compressed off the event loop. In bytes. */
const MAX_SYNC_BYTES = 16 * 1024;
const JSON_TYPE = /^application\/json\b/;
/**
 * Routes whose responses may hold secrets. Their size would tell something of a secret to who can add text to the same
 * response, so they are never compressed; neither are those of plugins, whose content the hub does not know.
 */
const SECRET_PATH =
  /^\/(?:auth|oauth|hooks|mcp|connect)(?:\/|$)|^\/v2\/(?:api-keys|plugins|workspace\/(?:integrations|triggers|invitations))(?:\/|$)/;

/** Exports are streamed for as long as their reader takes, and a compressor would hold parts of them back. */
const STREAMED_PATH = /\/export$/;

/** Compresses large JSON responses for clients that accept Brotli or gzip. Call it before routes are registered. */
export async function compressResponses(fastify: FastifyInstance): Promise<void> {
  fastify.addHook('onRoute', route => {
    if (SECRET_PATH.test(route.url) || STREAMED_PATH.test(route.url)) route.compress = false;
  });
  await fastify.register(compress, {
    threshold: MIN_BYTES,
    syncThreshold: MAX_SYNC_BYTES,
    customTypes: JSON_TYPE,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  });
}
