// What the plugins of these tests are made with: they are plain JavaScript, which has no decorators.
import 'reflect-metadata';
import { Module } from '@nestjs/common';

export { ToolContent, ToolError } from '#sdk/index.js';

/** A manifest that would do, with what a plugin wants differently. */
export const manifestOf = (id, rest = {}) => ({
  id,
  displayName: id,
  description: 'A plugin for tests.',
  sdk: '^1.0.0',
  minPlan: 'starter',
  ...rest,
});

/** Puts the mark of a decorator on a method. */
export const mark = (key, value, type, method) =>
  Reflect.defineMetadata(`rapport:${key}`, value, type.prototype[method]);

/** A Nest module of these providers. */
export function moduleOf(...providers) {
  class PluginModule {}
  Module({ providers })(PluginModule);
  return PluginModule;
}

/** The options of a tool that is well formed. */
export const toolOptions = (name, rest = {}) => ({
  name,
  title: 'A tool',
  description: 'A tool for tests.',
  input: { type: 'object', properties: {} },
  scopes: ['read'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  ...rest,
});

/** How a manifest declares such a tool. */
export const toolManifest = { visibility: 'agent', readOnly: true, idempotent: true, destructive: false };
