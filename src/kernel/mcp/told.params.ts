import type { z } from 'zod';
import { problemsIn } from './argument.problems.js';
import { RPC, RpcError } from './mcp.errors.js';

/**
 * The schema of a request whose parameters, where they are wrong, are answered as such and in words. By itself the SDK
 * calls it an internal error, and sends what zod says of it.
 * @throws RpcError when it reads such a request
 */
export function tellingOfParams<Schema extends z.ZodObject<{ method: z.ZodLiteral<string>; params: z.ZodType }>>(
  schema: Schema,
): Schema {
  const params = schema.shape.params.catch(({ error, input }: z.core.$ZodCatchCtx) => {
    const [problem] = problemsIn(
      error.issues.map(issue => whole(issue, input)),
      [],
    );
    throw new RpcError(RPC.INVALID_PARAMS, `Invalid parameters: ${problem?.field} ${problem?.message}`);
  });
  return schema.extend({ params }) as unknown as Schema;
}

/** An issue as seen from the request, with what stands there: zod leaves that out unless the parse asks for it. */
function whole(issue: z.core.$ZodIssue, params: unknown): z.core.$ZodIssue {
  const input = issue.path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)[key], params);
  return { ...issue, path: ['params', ...issue.path], input } as z.core.$ZodIssue;
}
