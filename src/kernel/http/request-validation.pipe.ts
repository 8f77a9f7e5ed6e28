import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { HubError } from '#kernel/errors/hub-error.js';
import { unknownFieldMessage } from '#kernel/errors/unknown-fields.js';
import { isValidated, listValidatedProperties, toInstance } from './validation-metadata.js';
import { toFieldProblems } from './validation-problems.js';

const VALIDATOR_OPTIONS = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: false,
  validationError: { value: false },
};

/**
 * Checks bodies, queries and path parameters whose type is a class with class-validator rules, and gives the handler
 * an instance of it. Every other type passes as it is. An absent body is checked as an empty one.
 * @throws HubError `invalid_request` naming every field, or `unknown_query_param` with the supported ones.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom' || metatype === undefined || !isValidated(metatype)) return value;
    const fields = requireFields(value, type);
    if (type === 'query') rejectUnknownParams(fields, metatype);
    rejectInheritedFields(fields, metatype);
    rejectConstructorFields(fields);
    const instance = toInstance(metatype, fields);
    const errors = validateSync(instance, VALIDATOR_OPTIONS);
    if (errors.length > 0) throw HubError.invalidRequest(toFieldProblems(errors));
    return instance;
  }
}

/**
 * A pipe for bodies that a function of ours reads instead of class-validator: `@Body(parsedBy(readRecordRequest))`.
 * Declare the parameter with an interface (or `unknown`), so that the common pipe leaves it alone.
 * @param read gives what the handler works with, or throws a HubError.
 */
export function parseWith<T>(read: (body: unknown) => T): PipeTransform<unknown, T> {
  return { transform: body => read(body) };
}

function requireFields(value: unknown, type: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  throw HubError.invalidRequest([{ field: type, message: `The ${type} must be a JSON object.` }]);
}

/** To class-validator a field that every object inherits (`toString`) is one that it knows. */
function rejectInheritedFields(fields: object, metatype: Type): void {
  const name = Object.keys(fields).find(each => each in Object.prototype);
  if (name === undefined) return;
  throw HubError.invalidRequest([
    { field: name, message: unknownFieldMessage(name, listValidatedProperties(metatype)) },
  ]);
}

/** class-validator takes the rules from the property `constructor`, so a body that brings its own would have none. */
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
