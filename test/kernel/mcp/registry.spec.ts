import { Injectable, Scope, type Provider, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { z } from 'zod';
import { INSTRUCTIONS } from '#kernel/mcp/server-info.js';
import { McpModule } from '#kernel/mcp/mcp.module.js';
import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { McpTool, type McpToolOptions, type ToolSchema } from '#sdk/index.js';
import { KeptLog } from '../../fixtures/mcp/fixture.app.js';

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

function tool(more: Partial<McpToolOptions> = {}): McpToolOptions {
  return {
    name: 'a_tool',
    title: 'A',
    description: 'A.',
    input: z.object({}),
    scopes: [],
    annotations: ANNOTATIONS,
    ...more,
  };
}

const core = { name: 'Some.method' };
const view = { plan: 'scale', scopes: ['read'] } as const;
const run = () => 'done';

async function boot(log: KeptLog, ...providers: Provider[]) {
  const testing = await Test.createTestingModule({ imports: [McpModule], providers })
    .setLogger(log)
    .compile();
  const app = await testing.init();
  return { registry: app.get(ToolRegistry), close: () => app.close() };
}

describe('registration', () => {
  const refusal = (options: McpToolOptions): string => {
    try {
      new ToolRegistry().register(options, run, core);
      return 'taken';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const object = (more: object): ToolSchema => ({ type: 'object', ...more });

  it.each([
    ['a dotted name', tool({ name: 'a.tool' }), /name must match/],
    ['a long name', tool({ name: 'a'.repeat(49) }), /name must match/],
    ['a name in capitals', tool({ name: 'Tool' }), /name must match/],
    ['no description', tool({ description: ' ' }), /description/],
    [
      'a missing annotation',
      tool({ annotations: { ...ANNOTATIONS, openWorldHint: undefined as never } }),
      /openWorldHint/,
    ],
    ['a plan that does not exist', tool({ minPlan: 'gold' as never }), /minPlan/],
    ['a title that is no text', tool({ title: 7 as never }), /title/],
    ['no input at all', tool({ input: undefined as never }), /input: /],
    ['an input that is no object', tool({ input: { type: 'string' } }), /type "object"/],
    ['an input with alternatives at its root', tool({ input: object({ anyOf: [{}] }) }), /must not use anyOf/],
    ['a union as zod input', tool({ input: z.union([z.object({}), z.object({ a: z.string() })]) }), /anyOf/],
    [
      'a remote reference',
      tool({ input: object({ properties: { a: { $ref: 'https://evil.example/s' } } }) }),
      /stay inside/,
    ],
    [
      'a header copied from arguments',
      tool({ input: object({ properties: { a: { 'x-mcp-header': 'A' } } }) }),
      /x-mcp-header/,
    ],
    ['an unresolved reference', tool({ input: object({ properties: { a: { $ref: '#/$defs/none' } } }) }), /resolve/],
    ['what JSON Schema cannot say', tool({ input: z.object({ at: z.date() }) }), /input: /],
    [
      'a closed output that may be shortened',
      tool({ output: object({ additionalProperties: false }), trim: ['a'] }),
      /truncated/,
    ],
  ])('refuses %s', (_what, options, why) => {
    expect(refusal(options)).toMatch(why);
  });

  it('takes schemas whose data only look like keywords', () => {
    const properties = {
      $ref: { type: 'string' },
      kind: { enum: [{ $ref: 'https://x.example' }], default: { anyOf: 'x' } },
    };
    expect(refusal(tool({ input: object({ properties }) }))).toBe('taken');
  });

  it('refuses a second tool of the same name and says who has it', () => {
    const registry = new ToolRegistry();
    registry.register(tool(), run, { name: 'First.method' });
    expect(() => registry.register(tool(), run, core)).toThrow(/First\.method already uses its name/);
  });

  it('leaves a malformed tool of a plugin out, with one warning, and keeps the others', async () => {
    const log = new KeptLog();
    const { registry, close } = await boot(log);
    const owner = { name: 'Acme.method', plugin: 'acme' };
    expect(registry.register(tool({ name: 'acme_broken', input: { type: 'array' } }), run, owner)).toBe(false);
    expect(registry.register(tool({ name: 'acme_sound' }), run, owner)).toBe(true);
    const warnings = log.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toEqual([{ level: 'warn', said: expect.stringMatching(/acme_broken.*Acme\.method.*skipped/) }]);
    expect(registry.list(view).map(({ name }) => name)).toEqual(['acme_sound']);
    await close();
  });
});

describe('discovery', () => {
  @Injectable()
  class Base {
    readonly greeting = 'hello';
    @McpTool({ ...tool({ name: 'greet' }), input: z.object({ name: z.string() }) })
    greet({ name }: { name: string }): string {
      return `${this.greeting} ${name}`;
    }
  }

  const boots = async (...providers: Provider[]): Promise<string> =>
    boot(new KeptLog(), ...providers).then(
      ({ close }) => close().then(() => 'booted'),
      (error: Error) => error.message,
    );

  it('finds a decorated method once, inherited or under an alias, and calls it on its provider', async () => {
    @Injectable()
    class Heir extends Base {}
    const { registry, close } = await boot(new KeptLog(), Heir, { provide: 'alias', useExisting: Heir });
    const call = {
      caller: { ...view, workspaceId: 'w', actor: { kind: 'key', id: 'k' } as const },
      requestId: 'r',
      signal: AbortSignal.abort(),
    };
    const link = { ...call, progress: async () => {}, sendLog: async () => {} };
    expect(await registry.call('greet', { name: 'Ada' }, link)).toEqual({
      content: [{ type: 'text', text: 'hello Ada' }],
    });
    await close();
  });

  it.each([
    ['request-scoped', Scope.REQUEST],
    ['transient', Scope.TRANSIENT],
  ])('stops the boot for a %s provider, by its name', async (_kind, scope) => {
    @Injectable({ scope })
    class Fleeting {
      @McpTool(tool())
      run(): string {
        return 'never';
      }
    }
    expect(await boots(Fleeting)).toMatch(/Fleeting\.run, but Fleeting is not a singleton/);
  });

  it('stops the boot for a provider that becomes request-scoped by what it injects', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {}
    @Injectable()
    class Dragged {
      constructor(readonly perRequest: PerRequest) {}
      @McpTool(tool())
      run(): string {
        return 'never';
      }
    }
    Reflect.defineMetadata('design:paramtypes', [PerRequest], Dragged);
    expect(await boots(PerRequest, Dragged)).toMatch(/Dragged is not a singleton/);
  });

  it('stops the boot for a malformed tool and for a name taken twice', async () => {
    const provider = (options: McpToolOptions): Type => {
      @Injectable()
      class Declaring {
        @McpTool(options)
        run(): string {
          return 'never';
        }
      }
      return Declaring;
    };
    expect(await boots(provider(tool({ name: 'Bad' })))).toMatch(/Declaring\.run is invalid/);
    expect(await boots(provider(tool()), provider(tool()))).toMatch(/already uses its name/);
    expect(await boots(provider(tool()))).toBe('booted');
  });
});

it('says of each argument what it should be, and nothing of what was sent', async () => {
  const input = z.strictObject({
    focus: z.string().max(5),
    limit: z.int().min(1).max(9).optional(),
    words: z.union([z.literal(false), z.enum(['few', 'many'])]).optional(),
    rows: z
      .array(z.strictObject({ kind: z.enum(['event', 'state']) }))
      .min(1)
      .optional(),
    id: z.uuid().optional(),
  });
  const registry = new ToolRegistry();
  registry.register(tool({ input }), run, core);
  const refused = async (args: unknown) => {
    const caller = { ...view, workspaceId: 'w', actor: { kind: 'key', id: 'k' } as const };
    const link = { signal: new AbortController().signal, progress: async () => {}, sendLog: async () => {} };
    const result = await registry.call('a_tool', args, { caller, requestId: 'r', ...link });
    const [thrown] = result!.content as { text: string }[];
    return thrown!.text.split('\n').slice(1);
  };
  expect(await refused({ limit: 'SENT', words: 'SENT', rows: [], id: 'SENT', wrods: 'SENT' })).toEqual([
    '- focus: is required: a text',
    '- limit: must be a number',
    '- words: must be false or "few" or "many"',
    '- rows: must not be empty',
    '- id: must be a UUID',
    '- wrods: is not known; there are focus, limit, words, rows, id',
  ]);
  expect(await refused({ focus: 'SENTSENT', limit: 10, rows: [{ kind: 'SENT', more: 1 }] })).toEqual([
    '- focus: must have at most 5 characters',
    '- limit: must be at most 9',
    '- rows[0].kind: must be "event" or "state"',
    '- rows[0].more: is not known',
  ]);
  expect(await refused({ focus: null, limit: 1.5 })).toEqual([
    '- focus: must be a text',
    '- limit: must be a whole number',
  ]);
});

describe('the list', () => {
  it('is a pure function of plan and scopes, sorted by name and shared', () => {
    const registry = new ToolRegistry();
    for (const name of ['b_tool', 'c_tool', 'a_tool']) registry.register(tool({ name }), run, core);
    const list = registry.list({ plan: 'growth', scopes: ['read', 'write'] });
    expect(list.map(({ name }) => name)).toEqual(['a_tool', 'b_tool', 'c_tool']);
    expect(registry.list({ plan: 'growth', scopes: ['write', 'read'] })).toBe(list);
  });

  it('has the tools of a plugin from the moment it serves until it does no more', () => {
    const registry = new ToolRegistry();
    registry.register(tool({ name: 'a_tool' }), run, core);
    const names = () => registry.list(view).map(({ name }) => name);
    expect(names()).toEqual(['a_tool']);
    registry.register(tool({ name: 'acme_tool' }), run, { name: 'Acme.method', plugin: 'acme' });
    expect(names()).toEqual(['a_tool', 'acme_tool']);
    registry.unregister('acme');
    expect(names()).toEqual(['a_tool']);
  });

  it('shows zod schemas without noise and raw schemas untouched', () => {
    const registry = new ToolRegistry();
    const count = z.number().int().default(8).describe('How many');
    const raw = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'same',
      type: 'object',
      $defs: { a: {} },
    };
    registry.register(tool({ name: 'zod', input: z.object({ count }), output: z.object({ n: z.int() }) }), run, core);
    registry.register(tool({ name: 'raw', input: raw, output: raw }), run, core);
    const [shown, zod] = registry.list(view);
    expect(shown).toMatchObject({ inputSchema: raw, outputSchema: raw });
    expect(zod).toMatchObject({
      inputSchema: {
        type: 'object',
        properties: { count: { type: 'integer', default: 8, description: 'How many' } },
      },
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    });
    expect(JSON.stringify(zod)).not.toMatch(/9007199254740991|additionalProperties|\$schema/);
  });
});

it('keeps the instructions short', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(1200);
});
