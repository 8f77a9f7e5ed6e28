/** The kinds of queue that this lane of the tests has servers for. */
export const backends = process.env['REDIS_URL'] ? (['postgres', 'redis'] as const) : (['postgres'] as const);

/** For what only Redis can show; left out in the lane without it. */
export const describeWithRedis = process.env['REDIS_URL'] ? describe : describe.skip;
