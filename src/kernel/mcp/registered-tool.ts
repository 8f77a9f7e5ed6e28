import { PLANS, isPlan } from '#domain/plans/tiers.js';
import type { JsonSchema } from '#sdk/schema.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { type ParseArguments, createArgumentParser, lintSchema, toToolJsonSchema } from './tool-schema.js';
import type { ToolHandler } from './call-context.js';

/** Model APIs allow at most 64 characters and no dots, and clients add a prefix to the name. */
const NAME = /^[a-z][a-z0-9_]{0,47}$/;

const REQUIRED_ANNOTATIONS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

type Hints = Record<string, unknown> | undefined;

/** Source of a tool: `name` is for messages (`ObservationsTools.record`); without `plugin` it belongs to the core. */
export interface ToolOwner {
  readonly name: string;
  readonly plugin?: string;
}

/** Entry of a tool in `tools/list`. Built once, frozen, shared by all requests. */
export interface ToolDescriptor {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: McpToolOptions['annotations'];
}

/** A validated tool that can be listed and called. */
export interface RegisteredTool {
  readonly label: string;
  readonly options: McpToolOptions;
  readonly owner: ToolOwner;
  readonly descriptor: ToolDescriptor;
  readonly parseArguments: ParseArguments;
  readonly handler: ToolHandler;
}

/** Thrown if a tool cannot be registered; the message names it and the fix. */
export class InvalidToolError extends Error {
  constructor(options: Partial<McpToolOptions>, owner: ToolOwner, faults: readonly string[]) {
    super(`The MCP tool "${options.name ?? ''}" of ${owner.name} is invalid: ${faults.join('; ')}.`);
  }
}

/**
 * Validates a declaration and prepares everything for listing and calling.
 * @throws InvalidToolError if the declaration is invalid.
 */
export function prepareTool(options: McpToolOptions, handler: ToolHandler, owner: ToolOwner): RegisteredTool {
  const faults = lintDeclaration(options);
  const inputSchema = tryPrepare(faults, 'input', () => buildInputSchema(options, faults));
  const outputSchema = tryPrepare(faults, 'output', () => buildOutputSchema(options, faults));
  // Compiles only schemas without lint errors: the messages of the lint are more helpful.
  const parseArguments =
    faults.length > 0 ? undefined : tryPrepare(faults, 'input', () => createArgumentParser(options.input));
  if (!inputSchema || !parseArguments) throw new InvalidToolError(options, owner, faults);
  const { name, title, description, annotations } = options;
  const descriptor = { name, title, description, inputSchema, ...(outputSchema && { outputSchema }), annotations };
  return { label: `tool ${name}`, options, owner, descriptor: Object.freeze(descriptor), parseArguments, handler };
}

/** Checks the declaration at run time too, because plugins may be written in JavaScript. */
function lintDeclaration(options: Partial<Record<keyof McpToolOptions, unknown>>): string[] {
  const { name, title, description, scopes, annotations } = options;
  const { minPlan = 'starter', visibility = 'agent' } = options;
  const set = (hint: string): boolean => typeof (annotations as Hints)?.[hint] === 'boolean';
  const rules: [holds: boolean, fault: string][] = [
    [typeof name === 'string' && NAME.test(name), `its name must match ${NAME.source}`],
    [isNonBlankText(title), 'it needs a title'],
    [isNonBlankText(description), 'it needs a description'],
    [Array.isArray(scopes), 'it must list the scopes it needs (an empty list for none)'],
    [isPlan(minPlan), `its minPlan must be one of ${PLANS.join(', ')}`],
    [visibility === 'agent' || visibility === 'internal', 'its visibility must be agent or internal'],
    [
      REQUIRED_ANNOTATIONS.every(set),
      `its annotations must set ${REQUIRED_ANNOTATIONS.join(', ')}, each to true or false`,
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function isNonBlankText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function buildInputSchema({ input }: McpToolOptions, faults: string[]): JsonSchema {
  return lintInto(faults, 'input', toToolJsonSchema(input, 'input'));
}

/** Builds the output schema. A truncated result has an additional field, `truncated`, which the schema must allow. */
function buildOutputSchema({ output, trim }: McpToolOptions, faults: string[]): JsonSchema | undefined {
  if (!output) return undefined;
  const schema = lintInto(faults, 'output', toToolJsonSchema(output, 'output'));
  if (trim?.length && schema['additionalProperties'] === false) {
    faults.push('output: with trim its root must be open (no additionalProperties false), for "truncated"');
  }
  return schema;
}

function lintInto(faults: string[], what: string, schema: JsonSchema): JsonSchema {
  faults.push(...lintSchema(schema).map(fault => `${what}: ${fault}`));
  return schema;
}

function tryPrepare<T>(faults: string[], what: string, prepare: () => T): T | undefined {
  try {
    return prepare();
  } catch (error) {
    faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
