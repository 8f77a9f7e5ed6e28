import {
  type Type,
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { plainToInstance, TransformationType, instanceToPlain } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { type FieldProblem, HubError } from '#kernel/errors/hub-error.js';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';

interface ClassMetadata {
  /** Names of the properties that have a rule. */
  readonly properties: readonly string[];
  /** Whether class-transformer is needed: nested classes, conversions, exposed or excluded properties. */
  readonly needsTransform: boolean;
}

const metadataCache = new WeakMap<Type, ClassMetadata>();

/** Returns whether any property of a class has a class-validator rule. */
export function isValidated(metatype: Type): boolean {
  return getClassMetadata(metatype).properties.length > 0;
}

/** Lists the properties of a class that have a rule, in order of declaration. */
export function listValidatedProperties(metatype: Type): readonly string[] {
  return getClassMetadata(metatype).properties;
}

/**
 * Creates an instance of a class with these fields. Calls class-transformer, which is slow, only where it is needed.
 */
export function toInstance(metatype: Type, fields: Record<string, unknown>): object {
  if (getClassMetadata(metatype).needsTransform) return plainToInstance(metatype, fields);
  return Object.assign(new metatype(), fields);
}

function getClassMetadata(metatype: Type): ClassMetadata {
  let metadata = metadataCache.get(metatype);
  if (!metadata) metadataCache.set(metatype, (metadata = readClassMetadata(metatype)));
  return metadata;
}

function readClassMetadata(metatype: Type): ClassMetadata {
  const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
  const properties = [...new Set(rules.map(rule => rule.propertyName))];
  return { properties, needsTransform: isExposed(metatype) || properties.some(name => isTransformed(metatype, name)) };
}

function isTransformed(metatype: Type, name: string): boolean {
  if (defaultMetadataStorage.findTypeMetadata(metatype, name)) return true;
  const { PLAIN_TO_CLASS } = TransformationType;
  return defaultMetadataStorage.findTransformMetadatas(metatype, name, PLAIN_TO_CLASS).length > 0;
}

function isExposed(metatype: Type): boolean {
  const { length } = defaultMetadataStorage.getExposedMetadatas(metatype);
  return length > 0 || defaultMetadataStorage.getExcludedMetadatas(metatype).length > 0;
}

/** Maximum number of problems in a response. */
const MAX_PROBLEMS = 50;

/** Rules about the type of a value, without which other rules make no sense. */
const TYPE_RULES: ReadonlySet<string> = new Set(['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject']);

/** Returns a problem for each violated rule, with the path of its field (`leads[3].email`); at most fifty. */
function toFieldProblems(errors: readonly ValidationError[]): FieldProblem[] {
  return [...collectProblems(errors, '')].slice(0, MAX_PROBLEMS);
}

function* collectProblems(errors: readonly ValidationError[], parent: string): Generator<FieldProblem> {
  for (const { property, constraints = {}, children = [], target } of errors) {
    const field = joinPath(parent, property);
    for (const [rule, message] of selectConstraints(constraints))
      yield { field, message: toMessage(rule, message, field, target) };
    yield* collectProblems(children, field);
  }
}

/**
 * Selects the type rules if any is violated: a value of the wrong type violates every rule, and only these messages
 * help.
 */
function selectConstraints(constraints: Readonly<Record<string, string>>): [rule: string, message: string][] {
  const broken = Object.entries(constraints);
  const ofType = broken.filter(([rule]) => TYPE_RULES.has(rule));
  return ofType.length > 0 ? ofType : broken;
}

function joinPath(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent ? `${parent}.${property}` : property;
}

function toMessage(rule: string, message: string, field: string, target: object | undefined): string {
  if (rule !== 'whitelistValidation') return message;
  return unknownFieldMessage(field, target ? listValidatedProperties(target.constructor as Type) : []);
}

/**
 * Nest's ValidationPipe for bodies, queries and path parameters whose type is a class with class-validator rules. It
 * passes an instance of the class to the handler. Other types pass unchanged. An absent body is validated as an empty
 * one. Rejects before that what class-validator lets through: names that every object inherits, and `constructor`.
 * @throws HubError `invalid_request` with every invalid field, or `unknown_query_param` with the supported ones.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      validationError: { target: true, value: false },
      exceptionFactory: errors => HubError.invalidRequest(toFieldProblems(errors)),
      // Nest always calls class-transformer, which is slow; most classes need no more than an assignment.
      transformerPackage: {
        plainToInstance: <T>(metatype: Type<T>, fields: unknown) =>
          toInstance(metatype, fields as Record<string, unknown>) as T,
        classToPlain: instanceToPlain,
      },
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type === 'custom' || metatype === undefined || !isValidated(metatype)) return value;
    const fields = requireFields(value, type);
    if (type === 'query') rejectUnknownParams(fields, metatype);
    rejectInheritedFields(fields, metatype);
    rejectConstructorFields(fields);
    return super.transform(fields, metadata);
  }
}

/**
 * Creates a pipe for bodies that a function parses instead of class-validator: `@Body(parseWith(readRecordRequest))`.
 * Declare the parameter with an interface (or `unknown`), so that the global pipe ignores it.
 * @param read returns the value for the handler, or throws a HubError.
 */
export function parseWith<T>(read: (body: unknown) => T): PipeTransform<unknown, T> {
  return { transform: body => read(body) };
}

function requireFields(value: unknown, type: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw HubError.invalidRequest([{ field: type, message: `The ${type} must be a JSON object.` }]);
}

/** Rejects fields such as `toString`, which class-validator accepts as known because every object inherits them. */
function rejectInheritedFields(fields: object, metatype: Type): void {
  const name = Object.keys(fields).find(each => each in Object.prototype);
  if (name === undefined) return;
  throw HubError.invalidRequest([
    { field: name, message: unknownFieldMessage(name, listValidatedProperties(metatype)) },
  ]);
}

/** Rejects `constructor` as a field: class-validator finds the rules through it, so such a body would have none. */
function rejectConstructorFields(fields: object): void {
  if (Object.hasOwn(fields, 'constructor')) {
    throw HubError.invalidRequest([{ field: 'constructor', message: unknownFieldMessage('constructor', []) }]);
  }
  for (const held of Object.values(fields))
    if (typeof held === 'object' && held !== null) rejectConstructorFields(held);
}

function rejectUnknownParams(query: Record<string, unknown>, metatype: Type): void {
  const supported = listValidatedProperties(metatype);
  const unknown = Object.keys(query).filter(name => !supported.includes(name));
  if (unknown.length === 0) return;
  const names = unknown.map(name => `"${name}"`).join(', ');
  throw new HubError('unknown_query_param', {
    detail: `There is no query parameter ${names} here.`,
    extra: { supported },
  });
}

const { QUERY, REQUEST } = RouteParamtypes;

/**
 * Rejects query parameters for API handlers that read none: a client that sends `?dry_run=true` to a call that takes
 * it in the body must not write by mistake. Handlers that read query parameters validate them themselves.
 */
@Injectable()
export class UnknownQueryParamsGuard implements CanActivate {
  /** @throws HubError `unknown_query_param` if the handler reads no query. */
  canActivate(context: ExecutionContext): boolean {
    const { url, query } = context.getArgByIndex<FastifyRequest>(0);
    if (!url.includes('?') || !url.startsWith('/v2/') || readsQuery(context)) return true;
    const [name] = Object.keys(query as object);
    if (name === undefined) return true;
    const detail = `There is no query parameter "${name.slice(0, 80)}" here; this call takes none.`;
    throw new HubError('unknown_query_param', { detail, extra: { supported: [] } });
  }
}

/** Returns whether a handler injects the query or the whole request. */
function readsQuery(context: ExecutionContext): boolean {
  const type: Type = context.getClass();
  const routeArgs = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, context.getHandler().name) as object | undefined;
  // Keys are `<type>:<index>`, such as `4:0`. Custom decorators have a random string as type, which may begin with a
  // digit.
  return Object.keys(routeArgs ?? {}).some(key => [QUERY, REQUEST].includes(Number(key.split(':')[0])));
}

/** Bounds the names that are quoted from a request. */
const MAX_NAME_LENGTH = 80;

/** Returns a problem, with the known names, for each field of `given` that is not in `known`; at most fifty. */
export function findUnknownFields(given: object, known: readonly string[]): FieldProblem[] {
  const unknown = Object.keys(given).filter(field => !known.includes(field));
  return unknown.slice(0, MAX_PROBLEMS).map(field => ({ field, message: unknownFieldMessage(field, known) }));
}

/** Returns the message for an unknown field, with the names of the known fields. */
export function unknownFieldMessage(field: string, known: readonly string[]): string {
  const name = `"${field.slice(0, MAX_NAME_LENGTH)}"`;
  return known.length === 0
    ? `${name} is not a field here.`
    : `${name} is not a field here; there are ${known.join(', ')}.`;
}
