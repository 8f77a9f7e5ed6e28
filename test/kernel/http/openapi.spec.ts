import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiPropertyOptional, type OpenAPIObject } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Public } from '#kernel/auth/caller.guard.js';
import { listOperations } from '#kernel/http/openapi/postprocess.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { findUndocumentedRoutes, getRoutes } from '#kernel/http/openapi/routes.js';
import { buildOpenApiDocument } from '#kernel/http/openapi/openapi-document.js';
import { type Fixture, send, startFixture } from './http.fixture.js';

class Hit {
  @ApiProperty({ description: 'Title of the note.', maxLength: 200, example: 'Call with Ada' })
  title: string;
}

class Search {
  @ApiProperty({ description: 'What to look for.', maxLength: 400, example: 'pricing' })
  @IsString()
  @MaxLength(400)
  question: string;
}

class Found {
  @ApiProperty({ description: 'Matching notes.', type: [Hit], maxItems: 20 })
  documents: Hit[];

  @ApiProperty({ type: 'integer', format: 'int32', minimum: 0, maximum: 20, example: 1 })
  count: number;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 200, example: null })
  next_cursor?: string | null;
}

class Page {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 10 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;
}

@Controller('v2/notes')
class NotesController {
  @Post('search')
  @Operation({
    id: 'searchNotes',
    summary: 'Search notes',
    description: 'Looks through all notes.',
    response: { type: Found, description: 'The notes.' },
  })
  search(@Body() body: Search): object {
    return body;
  }

  @Post()
  @Operation({
    id: 'saveNote',
    summary: 'Save a note',
    description: 'Keeps a note.',
    body: { type: Search, example: { question: 'of its own' } },
    response: { type: Found, description: 'The note.', example: { documents: [], count: 0 } },
    status: 201,
    isIdempotent: true,
  })
  save(@Body() body: unknown): unknown {
    return body;
  }

  @Get(':id')
  @ApiOkResponse({ type: Found })
  read(@Param('id') id: string, @Query() query: Page): object {
    return { id, query };
  }
}

@Controller('v2/forgotten')
class ForgottenController {
  @Get()
  @Public()
  plain(): object {
    return {};
  }
}

let hub: Fixture;
let document: OpenAPIObject;
beforeAll(async () => {
  hub = await startFixture([NotesController, ForgottenController], { env: { PUBLIC_URL: 'http://localhost:3000' } });
  document = (await send(`${hub.url}/openapi.json`)).body;
});
afterAll(() => hub.close());

const operation = (path: string, method: 'get' | 'post') => document.paths[path]![method]!;
const json = (place: unknown) =>
  (place as { content: Record<string, Record<string, unknown>> }).content['application/json']!;

describe('the OpenAPI document', () => {
  it('is of version 3.1, and the same each time it is made', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(JSON.parse(JSON.stringify(buildOpenApiDocument(hub.app)))).toEqual(document);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  it('has an example of every body', () => {
    const described = listOperations(document).filter(([, { operationId }]) => !operationId?.endsWith('Forgotten'));
    expect(described).toHaveLength(3);
    for (const [, { requestBody, responses }] of described) {
      for (const place of [requestBody, responses['200'] ?? responses['201']]) {
        if (place) expect(json(place)['example'] ?? json(place)['examples']).toBeDefined();
      }
    }
    expect(json(operation('/v2/notes/search', 'post').requestBody)['example']).toEqual({ question: 'pricing' });
    expect(json(operation('/v2/notes/search', 'post').responses['200'])['example']).toEqual({
      documents: [{ title: 'Call with Ada' }],
      count: 1,
      next_cursor: null,
    });
    expect(json(operation('/v2/notes', 'post').requestBody)['examples']).toEqual({
      example: { value: { question: 'of its own' } },
    });
    expect(json(operation('/v2/notes', 'post').responses['201'])['example']).toEqual({ documents: [], count: 0 });
  });

  it('says how every operation may fail, by reference', () => {
    const statuses = Object.keys(operation('/v2/notes', 'post').responses).map(Number);
    expect(statuses).toEqual([201, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503]);
    expect(Object.keys(operation('/v2/notes/{id}', 'get').responses)).not.toContain('409');
    for (const [, { responses }] of listOperations(document)) {
      for (const [status, answer] of Object.entries(responses)) {
        if (Number(status) < 300) continue;
        const name = (answer as { $ref: string }).$ref.split('/').at(-1)!;
        expect(document.components!.responses).toHaveProperty(name);
      }
    }
  });

  it('shows the error codes of each status with their sentences', () => {
    const examples = json(document.components!.responses!['NotFound'])['examples'];
    expect(Object.keys(examples as object)).toEqual(expect.arrayContaining(['not_found', 'entity_not_found']));
    expect(json(document.components!.responses!['Unauthorized'])['examples']).toEqual({
      unauthorized: { value: { error: 'unauthorized' } },
      ...Object.fromEntries(
        [
          'sign_in_failed',
          'second_factor_required',
          'second_factor_failed',
          'passkey_failed',
          'single_sign_on_failed',
        ].map(error => [error, { value: expect.objectContaining({ error }) }]),
      ),
    });
  });

  it('names the headers that answers carry', () => {
    const { headers } = operation('/v2/notes/search', 'post').responses['200'] as { headers: object };
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['x-request-id', 'RateLimit-Remaining']));
    const { headers: limited } = document.components!.responses!['RateLimited'] as { headers: object };
    expect(Object.keys(limited)).toContain('Retry-After');
  });

  it('describes key, limits of a query and the Idempotency-Key of a write', () => {
    expect(document.security).toEqual([{ apiKey: [] }, { session: [] }]);
    expect(document.components!.securitySchemes).toMatchObject({
      apiKey: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'rapport.session_token' },
    });
    const limit = operation('/v2/notes/{id}', 'get').parameters!.find(each => 'name' in each && each.name === 'limit');
    expect(limit).toMatchObject({ in: 'query', schema: { minimum: 1, maximum: 100 } });
    expect(operation('/v2/notes', 'post').parameters).toEqual([
      expect.objectContaining({
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: expect.any(String),
      }),
    ]);
  });

  it('keeps the bounds of an author and implies no others', () => {
    const { Hit: hit, Found: all } = document.components!.schemas as Record<string, { properties: object }>;
    expect(hit!.properties).toMatchObject({ title: { maxLength: 200 } });
    expect(all!.properties).toMatchObject({ count: { format: 'int32', minimum: 0, maximum: 20 } });
    expect(JSON.stringify([hit, all])).not.toMatch(/"pattern"|1048576/);
    expect(operation('/v2/notes/{id}', 'get').operationId).toBe('readNotes');
  });

  it('leads from every reference to something', () => {
    const text = JSON.stringify(document);
    for (const [, path] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path!.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
      expect([path, target]).toEqual([path, expect.anything()]);
    }
  });

  it('is compared with the routes there are', () => {
    const routes = getRoutes(hub.app.getHttpAdapter().getInstance());
    expect(routes).toContainEqual({ method: 'GET', path: '/v2/notes/:id' });
    expect(findUndocumentedRoutes(document, routes)).toEqual([]);
    const without = { ...document, paths: { '/v2/notes': document.paths['/v2/notes']! } };
    expect(findUndocumentedRoutes(without, routes).map(({ path }) => path)).toEqual([
      '/v2/notes/search',
      '/v2/notes/:id',
      '/v2/forgotten',
    ]);
  });
});

describe('the reference page', () => {
  it('loads its program from here and nothing from elsewhere', async () => {
    const { status, text, headers } = await send(`${hub.url}/docs`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      '/docs/scalar.js',
    ]);
    expect(text).not.toMatch(/https?:\/\//);
    expect(text).toContain('"url": "/openapi.json"');
  });

  it('may run nothing but that program, and send nothing elsewhere', async () => {
    const policy = (await send(`${hub.url}/docs`)).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='/);
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|script-src[^;]*'unsafe-inline'/);
  });

  it('serves the program whole, and lets browsers keep it', async () => {
    const { status, text, headers } = await send(`${hub.url}/docs/scalar.js`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(headers.get('cache-control')).toContain('max-age');
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text).toContain('createApiReference');
  });
});
