// Node loads the suites (test/runner), so jest maps and transforms nothing.
export default {
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/runner/runner.mjs',
  testSequencer: '<rootDir>/test/runner/sequence.mjs',
  transform: {},
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/plugins/*/test/**/*.spec.ts'],
  globalSetup: '<rootDir>/test/runner/global-setup.mjs',
  globalTeardown: '<rootDir>/test/runner/global-teardown.mjs',
  // One more than a small machine has cores: suites wait about a third of their time, for processes and for deadlines.
  maxWorkers: 3,
  testTimeout: 120_000,
};
