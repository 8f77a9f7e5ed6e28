export * from './content.js';
export * from './context.js';
export * from './decorators.js';
export * from './errors.js';
export * from './schema.js';
export * from './tool.js';
