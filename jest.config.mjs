// Suites are loaded by Node itself, so there is nothing to map or to transform here: test/support/native says how.
export default {
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/support/native/runner.mjs',
  testSequencer: '<rootDir>/test/support/native/sequence.mjs',
  transform: {},
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/plugins/*/test/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // One more than a small machine has cores: suites wait about a third of their time, for processes and for deadlines.
  maxWorkers: 3,
  testTimeout: 120_000,
};
