import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsOptional, IsString, Length, Max, Min, ValidateNested } from 'class-validator';
import { HubError } from '#kernel/errors/hub-error.js';
import { ToInt } from '#kernel/http/validation.decorators.js';
import { parseWith } from '#kernel/http/request-validation.js';
import { type Fixture, send, startFixture } from './http.fixture.js';

class Search {
  @IsString()
  @Length(1, 20)
  question: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  limit?: number;

  isSearch(): boolean {
    return true;
  }
}

class Row {
  @IsString()
  @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value))
  name: string;
}

class Rows {
  @ValidateNested({ each: true })
  @Type(() => Row)
  @ArrayMaxSize(3)
  rows: Row[];
}

class Page {
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @IsOptional()
  @IsString()
  cursor?: string;
}

interface Parsed {
  readonly shout: string;
}

function readShout(body: unknown): Parsed {
  if (typeof body !== 'object' || body === null) throw new HubError('focus_and_observations_required');
  return { shout: JSON.stringify(body).toUpperCase() };
}

@Controller('v2')
class PlainController {
  @Get('plain/:id')
  plain(@Param('id') id: string): object {
    return { id };
  }
}

@Controller()
class ValidatedController {
  @Post('search')
  @HttpCode(200)
  search(@Body() body: Search): object {
    return { ...body, isSearch: body.isSearch() };
  }

  @Post('rows')
  @HttpCode(200)
  rows(@Body() { rows }: Rows): object {
    return { rows, areRows: rows.every(row => row instanceof Row) };
  }

  @Post('shout')
  @HttpCode(200)
  shout(@Body(parseWith(readShout)) body: Parsed): Parsed {
    return body;
  }

  @Get('page/:id')
  page(@Param('id') id: string, @Query() query: Page): object {
    return { id, ...query };
  }
}

let hub: Fixture;
beforeAll(async () => {
  hub = await startFixture([ValidatedController, PlainController]);
});
afterAll(() => hub.close());

const post = (path: string, json: unknown) => send(hub.url + path, { json });
const fieldsOf = (body: { details: { field: string }[] }) => body.details.map(({ field }) => field);

describe('a body with rules', () => {
  it('comes to the handler as an instance of its class', async () => {
    expect((await post('/search', { question: 'price', limit: 3 })).body).toEqual({
      question: 'price',
      limit: 3,
      isSearch: true,
    });
  });

  it('is refused with every field and what would be right', async () => {
    const { status, body } = await post('/search', { question: '', limit: 1.5, admin: true });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(fieldsOf(body)).toEqual(expect.arrayContaining(['question', 'limit', 'admin']));
    expect(body.details).toContainEqual({
      field: 'admin',
      message: '"admin" is not a field here; there are question, limit.',
    });
    expect(body.detail).toBe(body.details[0].message);
  });

  it('names only the type where the type is wrong', async () => {
    const { body } = await post('/search', { question: 7, limit: 'many' });
    expect(body.details).toEqual([
      { field: 'question', message: 'question must be a string' },
      { field: 'limit', message: 'limit must be an integer number' },
    ]);
    expect((await send(`${hub.url}/page/a?limit=x`)).body.details).toEqual([
      { field: 'limit', message: 'limit must be an integer number' },
    ]);
    expect((await post('/search', { question: '', limit: 0 })).body.details).toEqual([
      { field: 'question', message: 'question must be longer than or equal to 1 characters' },
      { field: 'limit', message: 'limit must not be less than 1' },
    ]);
  });

  it('is refused when it is absent, a list or a text', async () => {
    expect(fieldsOf((await send(`${hub.url}/search`, { method: 'POST' })).body)).toContain('question');
    for (const body of [[], 'question', 3])
      expect((await post('/search', body)).body.details).toEqual([
        { field: 'body', message: 'The body must be a JSON object.' },
      ]);
  });

  it('checks nested rows, names them by their path and converts them', async () => {
    expect((await post('/rows', { rows: [{ name: ' Ada ' }] })).body).toEqual({
      rows: [{ name: 'Ada' }],
      areRows: true,
    });
    const { body } = await post('/rows', { rows: [{ name: 'Ada' }, { name: 7, id: 'x' }] });
    expect(fieldsOf(body).toSorted()).toEqual(['rows[1].id', 'rows[1].name']);
  });

  it('cannot bring a constructor to lose its rules', async () => {
    expect(fieldsOf((await post('/search', { question: '', constructor: 'x' })).body)).toEqual(['constructor']);
    expect((await post('/rows', { rows: [{ name: 7, constructor: { name: 'Object' } }] })).status).toBe(400);
  });

  it('is refused for a field that every object inherits', async () => {
    for (const field of ['hasOwnProperty', 'toString'])
      expect(fieldsOf((await post('/search', { question: 'x', [field]: 1 })).body)).toEqual([field]);
  });

  it('never answers with more than fifty problems', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, i]));
    expect((await post('/search', { question: 'x', ...many })).body.details).toHaveLength(50);
  });
});

describe('a body that a function reads', () => {
  it('does not meet class-validator', async () => {
    expect((await post('/shout', { any: ['thing'] })).body).toEqual({ shout: '{"ANY":["THING"]}' });
    expect((await send(`${hub.url}/shout`, { method: 'POST' })).body.error).toBe('focus_and_observations_required');
  });
});

describe('a query', () => {
  it('is refused where a handler of the API reads none', async () => {
    const { status, body } = await send(`${hub.url}/v2/plain/a?dry_run=true`);
    expect([status, body.error, body.supported]).toEqual([400, 'unknown_query_param', []]);
    expect(body.detail).toContain('dry_run');
    expect((await send(`${hub.url}/v2/plain/a?`)).status).toBe(200);
  });

  it('is converted and checked', async () => {
    expect((await send(`${hub.url}/page/a?limit=7`)).body).toEqual({ id: 'a', limit: 7 });
    for (const bad of [
      'limit=0',
      'limit=x',
      'limit=',
      'limit=1e1',
      'limit=0x1',
      'limit=1&limit=2',
      'cursor=a&cursor=b',
    ]) {
      expect([bad, (await send(`${hub.url}/page/a?${bad}`)).status]).toEqual([bad, 400]);
    }
  });

  it('is refused with what is supported when it asks for something else', async () => {
    for (const unknown of ['sort=name', '__proto__=x', 'constructor=x']) {
      const { status, body } = await send(`${hub.url}/page/a?limit=1&${unknown}`);
      expect([status, body.error, body.supported]).toEqual([400, 'unknown_query_param', ['limit', 'cursor']]);
      expect(body.detail).toContain(unknown.split('=')[0]);
    }
  });
});
