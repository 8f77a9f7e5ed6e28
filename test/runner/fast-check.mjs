// Replaces fast-check in suites when FC_NUM_RUNS_FACTOR is set: every property runs that many times as many cases.
import fc from 'fast-check';

const FACTOR = Number(process.env['FC_NUM_RUNS_FACTOR']);
const DEFAULT_RUNS = 100;

const withMoreRuns = (parameters = {}) => ({
  ...parameters,
  numRuns: (parameters.numRuns ?? DEFAULT_RUNS) * FACTOR,
});

export default { ...fc, assert: (property, parameters) => fc.assert(property, withMoreRuns(parameters)) };
