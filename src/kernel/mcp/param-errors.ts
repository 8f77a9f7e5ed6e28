import type { z } from 'zod';
import { toArgumentProblems } from './argument-problems.js';
import { RPC, RpcError } from './rpc-errors.js';

/**
 * The schema of a request whose parameters, where they are wrong, are answered as such and in words. By itself the SDK
 * calls it an internal error, and sends what zod says of it.
 * @throws RpcError when it reads such a request
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

/** An issue as seen from the request, with what stands there: zod leaves that out unless the parse asks for it. */
function toRequestIssue(issue: z.core.$ZodIssue, params: unknown): z.core.$ZodIssue {
  const input = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)[key], params);
  return { ...issue, path: ['params', ...issue.path], input } as z.core.$ZodIssue;
}
