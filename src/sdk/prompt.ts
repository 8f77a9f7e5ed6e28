import type { ContentBlock } from './content.js';
import type { ToolPlan, ToolScope } from './tool.js';

/**
 * A blank of a prompt. People fill it in, so it is always text.
 * @example { name: 'focus', description: 'Whom the call is with', required: true }
 */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  /** Default: false. */
  readonly required?: boolean;
}

/**
 * Everything a prompt declares: words that a user picks from a list, such as a slash command. Not every client has
 * prompts.
 * @example
 * ```ts
 * { name: 'acme_dialer_prepare', title: 'Prepare a call', description: 'What to know before you dial.',
 *   arguments: [{ name: 'focus', description: 'Whom to call', required: true }], scopes: ['read'] }
 * ```
 */
export interface McpPromptOptions {
  /** As that of a tool: at most 48 characters `a-z0-9_`; a partner's begins with the id of its plugin. */
  readonly name: string;
  /** For people, in lists of prompts. */
  readonly title: string;
  readonly description: string;
  readonly arguments?: readonly PromptArgument[];
  /** Scopes that the API key must hold, all of them. */
  readonly scopes: readonly ToolScope[];
  /** Lowest plan that sees the prompt. Default: `starter`, in a plugin that of the plugin. */
  readonly minPlan?: ToolPlan;
}

/**
 * A message that a prompt begins the conversation with.
 * @example { role: 'user', content: { type: 'text', text: 'Prepare my call with Ada.' } }
 */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/**
 * What a handler of a prompt gives: what the user says, or several messages.
 * @example return `Prepare my call with ${focus}. Read get_context first.`;
 */
export type PromptResult = string | readonly PromptMessage[];

/**
 * What is wrong with the arguments of a prompt.
 * @returns a sentence for each fault; none when there is none
 * @example promptFaults(options, { focus: 'ada@acme.io' })
 */
export function validatePrompt(options: McpPromptOptions, args: Readonly<Record<string, unknown>>): string[] {
  const known = options.arguments ?? [];
  const missing = known.filter(({ name, required }) => required && (args[name] ?? '') === '');
  const foreign = Object.keys(args).filter(name => !known.some(argument => argument.name === name));
  const names = known.map(({ name }) => name).join(', ') || 'none';
  return [
    ...missing.map(({ name, description }) => `The argument "${name}" is missing: ${description}.`),
    ...foreign.map(name => `There is no argument "${name}": it has ${names}.`),
    ...Object.keys(args)
      .filter(name => typeof args[name] !== 'string')
      .map(name => `The argument "${name}" must be text.`),
  ];
}
