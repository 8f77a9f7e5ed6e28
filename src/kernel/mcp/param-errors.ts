import type { z } from 'zod';
import { toArgumentProblems } from './argument-problems.js';
import { RPC, RpcError } from './rpc-errors.js';

/**
 * Returns a request schema whose invalid parameters cause a readable error with the code for invalid parameters. The
 * SDK itself would report an internal error with zod's message.
 * @throws RpcError when it parses such a request
 */
export function withReadableParamErrors<
  Schema extends z.ZodObject<{ method: z.ZodLiteral<string>; params: z.ZodType }>,
>(schema: Schema): Schema {
  const params = schema.shape.params.catch(({ error, input }: z.core.$ZodCatchCtx) => {
    const [problem] = toArgumentProblems(
      error.issues.map(issue => toRequestIssue(issue, input)),
      [],
    );
    throw new RpcError(RPC.INVALID_PARAMS, `Invalid parameters: ${problem?.field} ${problem?.message}`);
  });
  return schema.extend({ params }) as unknown as Schema;
}

/** Adds the path from the request and the invalid value, which zod omits unless the parse asks for it. */
function toRequestIssue(issue: z.core.$ZodIssue, params: unknown): z.core.$ZodIssue {
  const input = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)[key], params);
  return { ...issue, path: ['params', ...issue.path], input } as z.core.$ZodIssue;
}
