import type { Type } from '@nestjs/common';
import { plainToInstance, TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

interface ClassFacts {
  /** The names of the properties that have a rule. */
  readonly properties: readonly string[];
  /** Whether class-transformer has anything to do: nested classes, conversions, hidden or renamed properties. */
  readonly transforms: boolean;
}

const known = new WeakMap<Type, ClassFacts>();

/** Whether any property of a class has a class-validator rule. */
export function hasRules(metatype: Type): boolean {
  return factsOf(metatype).properties.length > 0;
}

/** The properties of a class that have a rule, in order of declaration. */
export function ruledProperties(metatype: Type): readonly string[] {
  return factsOf(metatype).properties;
}

/** An instance of a class with these fields. class-transformer, which is slow, is asked only where it is needed. */
export function toInstance(metatype: Type, fields: Record<string, unknown>): object {
  if (factsOf(metatype).transforms) return plainToInstance(metatype, fields);
  return Object.assign(new metatype(), fields);
}

function factsOf(metatype: Type): ClassFacts {
  let facts = known.get(metatype);
  if (!facts) known.set(metatype, (facts = study(metatype)));
  return facts;
}

function study(metatype: Type): ClassFacts {
  const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
  const properties = [...new Set(rules.map(rule => rule.propertyName))];
  return { properties, transforms: isExposed(metatype) || properties.some(name => isTransformed(metatype, name)) };
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
