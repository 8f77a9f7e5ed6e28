import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/plugins/*/test/**/*.spec.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, module: { type: 'es6' }, sourceMaps: 'inline' }] },
  moduleNameMapper: {
    // Sources of plugins are tested with the SDK of this tree, not with what was last built of it.
    '^@rapport/plugin-sdk$': '<rootDir>/src/sdk/index.ts',
    '^@rapport/plugin-sdk/testing$': '<rootDir>/src/sdk/testing/index.ts',
    '^#(domain|sdk|kernel|graph)/(.*)\\.js$': '<rootDir>/src/$1/$2',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  maxWorkers: 2,
  testTimeout: 60_000,
};
