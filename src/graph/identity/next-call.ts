/** The next tool call to make, for an ambiguous name. */
interface NextCall {
  readonly next_call?: string;
}

/**
 * Adds the next tool call to the result of a tool if the name is ambiguous.
 * @param argument name of the tool's argument that takes the entity, such as `focus`.
 */
export function withNextCall<T extends object>(answer: T, tool: string, argument: string): T & NextCall {
  const { status, candidates } = answer as { status?: unknown; candidates?: readonly { entity_id: string }[] };
  const first = candidates?.[0];
  if (status !== 'ambiguous' || !first) return answer;
  const call = JSON.stringify({ [argument]: first.entity_id });
  const next_call = `Pick one by what you know of them, or ask the user; then call ${tool} with its entity_id, as in ${call}.`;
  return { ...answer, next_call };
}
