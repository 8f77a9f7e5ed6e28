// Replaces fast-check in suites when FC_NUM_RUNS_FACTOR or FC_SEED is set.
//
//   FC_NUM_RUNS_FACTOR=20   runs every property on 20 times as many cases
//   FC_SEED=7               draws the same cases in each run, so that a change is judged by its content and not by chance
import fc from 'fast-check';

const { FC_NUM_RUNS_FACTOR, FC_SEED } = process.env;
const DEFAULT_RUNS = 100;

const withSettings = (parameters = {}) => ({
  ...(FC_SEED ? { seed: Number(FC_SEED) } : {}),
  ...parameters,
  numRuns: (parameters.numRuns ?? DEFAULT_RUNS) * Number(FC_NUM_RUNS_FACTOR || 1),
});

export default { ...fc, assert: (property, parameters) => fc.assert(property, withSettings(parameters)) };
