/** An answer that asks the caller to pick, with how to go on. */
interface NextCall {
  readonly next_call?: string;
}

/**
 * An answer as an agent gets it: where several bear the name, with the call that comes next.
 * @param argument of the tool that names the subject, such as `focus`
 */
export function withNextCall<T extends object>(answer: T, tool: string, argument: string): T & NextCall {
  const { status, candidates } = answer as { status?: unknown; candidates?: readonly { entity_id: string }[] };
  const first = candidates?.[0];
  if (status !== 'ambiguous' || !first) return answer;
  const call = JSON.stringify({ [argument]: first.entity_id });
  const next_call = `Pick one by what you know of them, or ask the user; then call ${tool} with its entity_id, as in ${call}.`;
  return { ...answer, next_call };
}
