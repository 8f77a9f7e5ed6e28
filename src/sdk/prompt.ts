import type { ContentBlock } from './content.js';
import type { ToolPlan, ToolScope } from './tool.js';

/**
 * An argument of a prompt. Users fill it in, so it is always a string.
 * @example { name: 'focus', description: 'Contact of the call', required: true }
 */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  /** Default: false. */
  readonly required?: boolean;
}

/**
 * Options of a prompt, which a user picks from a list, such as a slash command. Not every client supports prompts.
 * @example
 * ```ts
 * { name: 'acme_dialer_prepare', title: 'Prepare a call', description: 'What to know before you dial.',
 *   arguments: [{ name: 'focus', description: 'Contact to call', required: true }], scopes: ['read'] }
 * ```
 */
export interface McpPromptOptions {
  /** At most 48 characters `a-z0-9_`; in a partner's plugin it starts with the plugin's ID. */
  readonly name: string;
  /** Name shown to users in lists of prompts. */
  readonly title: string;
  readonly description: string;
  readonly arguments?: readonly PromptArgument[];
  /** Scopes that the API key must have. */
  readonly scopes: readonly ToolScope[];
  /** Lowest plan with access to the prompt. Default: the plan of the plugin; `starter` in the hub itself. */
  readonly minPlan?: ToolPlan;
}

/**
 * A message with which a prompt starts the conversation.
 * @example { role: 'user', content: { type: 'text', text: 'Prepare my call with Ada.' } }
 */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/**
 * Result of a prompt handler: the text of a user message, or several messages.
 * @example return `Prepare my call with ${focus}. Read get_context first.`;
 */
export type PromptResult = string | readonly PromptMessage[];

/**
 * Validates the arguments of a prompt.
 * @returns one sentence per fault; empty if there is none
 * @example validatePrompt(options, { focus: 'ada@acme.io' })
 */
export function validatePrompt(options: McpPromptOptions, args: Readonly<Record<string, unknown>>): string[] {
  const known = options.arguments ?? [];
  const missing = known.filter(({ name, required }) => required && (args[name] ?? '') === '');
  const unknown = Object.keys(args).filter(name => !known.some(argument => argument.name === name));
  const names = known.map(({ name }) => name).join(', ') || 'none';
  return [
    ...missing.map(({ name, description }) => `The argument "${name}" is missing: ${description}.`),
    ...unknown.map(name => `There is no argument "${name}": it has ${names}.`),
    ...Object.keys(args)
      .filter(name => typeof args[name] !== 'string')
      .map(name => `The argument "${name}" must be text.`),
  ];
}
