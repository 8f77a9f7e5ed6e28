import { isPlan, PLANS } from '#domain/plans/tiers.js';
import type { JsonSchema } from '#sdk/schema.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { lintSchema } from './schema.lint.js';
import type { ToolHandler } from './tool.context.js';
import { jsonSchemaOf, readerOf, type ReadArguments } from './tool.schema.js';

/** Model APIs stop at 64 characters and refuse dots, and clients put a prefix before the name. */
const NAME = /^[a-z][a-z0-9_]{0,47}$/;

const ANNOTATIONS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

type Hints = Record<string, unknown> | undefined;

/** Where a tool comes from: `name` is for messages (`ObservationsTools.record`); no `plugin` means the core. */
export interface ToolOwner {
  readonly name: string;
  readonly plugin?: string;
}

/** What `tools/list` sends for a tool. Built once, frozen, shared by all requests. */
export interface ToolDescriptor {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: McpToolOptions['annotations'];
}

/** A tool that passed every check and can be listed and called. */
export interface RegisteredTool {
  readonly what: string;
  readonly options: McpToolOptions;
  readonly owner: ToolOwner;
  readonly descriptor: ToolDescriptor;
  readonly read: ReadArguments;
  readonly handler: ToolHandler;
}

/** Why a tool cannot be registered, in a sentence that names it and the mend. */
export class MalformedTool extends Error {
  constructor(options: Partial<McpToolOptions>, owner: ToolOwner, faults: readonly string[]) {
    super(`The MCP tool "${options.name ?? ''}" of ${owner.name} is malformed: ${faults.join('; ')}.`);
  }
}

/** Checks a declaration and prepares all that listing and calling need. Throws {@link MalformedTool}. */
export function prepareTool(options: McpToolOptions, handler: ToolHandler, owner: ToolOwner): RegisteredTool {
  const faults = lintDeclaration(options);
  const inputSchema = attempt(faults, 'input', () => inputOf(options, faults));
  const outputSchema = attempt(faults, 'output', () => outputOf(options, faults));
  // What the lint has refused need not compile: the words of the lint say better what to mend.
  const read = faults.length > 0 ? undefined : attempt(faults, 'input', () => readerOf(options.input));
  if (!inputSchema || !read) throw new MalformedTool(options, owner, faults);
  const { name, title, description, annotations } = options;
  const said = { name, title, description, inputSchema, ...(outputSchema && { outputSchema }), annotations };
  return { what: `tool ${name}`, options, owner, descriptor: Object.freeze(said), read, handler };
}

/** The types say the same, but plugins may be written in JavaScript. */
function lintDeclaration(options: Partial<Record<keyof McpToolOptions, unknown>>): string[] {
  const { name, title, description, scopes, annotations } = options;
  const { minPlan = 'starter', visibility = 'agent' } = options;
  const set = (hint: string): boolean => typeof (annotations as Hints)?.[hint] === 'boolean';
  const rules: [holds: boolean, fault: string][] = [
    [typeof name === 'string' && NAME.test(name), `its name must match ${NAME.source}`],
    [isText(title), 'it needs a title'],
    [isText(description), 'it needs a description'],
    [Array.isArray(scopes), 'it must list the scopes it needs (an empty list for none)'],
    [isPlan(minPlan), `its minPlan must be one of ${PLANS.join(', ')}`],
    [visibility === 'agent' || visibility === 'internal', 'its visibility must be agent or internal'],
    [ANNOTATIONS.every(set), `its annotations must set ${ANNOTATIONS.join(', ')}, each to true or false`],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function inputOf({ input }: McpToolOptions, faults: string[]): JsonSchema {
  return linted(faults, 'input', jsonSchemaOf(input, 'input'));
}

/** A shortened result carries one field more, `truncated`, which the schema must let pass. */
function outputOf({ output, trim }: McpToolOptions, faults: string[]): JsonSchema | undefined {
  if (!output) return undefined;
  const schema = linted(faults, 'output', jsonSchemaOf(output, 'output'));
  if (trim?.length && schema['additionalProperties'] === false) {
    faults.push('output: with trim its root must be open (no additionalProperties false), for "truncated"');
  }
  return schema;
}

function linted(faults: string[], what: string, schema: JsonSchema): JsonSchema {
  faults.push(...lintSchema(schema).map(fault => `${what}: ${fault}`));
  return schema;
}

function attempt<T>(faults: string[], what: string, prepare: () => T): T | undefined {
  try {
    return prepare();
  } catch (error) {
    faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
