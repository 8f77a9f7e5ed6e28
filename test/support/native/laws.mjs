// What suites get for fast-check when LAW_RUNS is set: every law is tried so many times as often. For hunts.
import fc from 'fast-check';

const TIMES = Number(process.env['LAW_RUNS']);
const USUAL_RUNS = 100;

const more = (parameters = {}) => ({ ...parameters, numRuns: (parameters.numRuns ?? USUAL_RUNS) * TIMES });

export default { ...fc, assert: (law, parameters) => fc.assert(law, more(parameters)) };
