import type { Type } from '@nestjs/common';
import { plainToInstance, TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

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
