import '../scripts/build-if-stale.mjs';
import { cpus } from 'node:os';
import { readOptions, USAGE } from './options.ts';

const options = readOptions(process.argv.slice(2));
if (options === 'help') {
  console.log(USAGE);
} else {
  // Not before the build: the measurements import from dist/.
  const { runBench } = await import('./run.ts');
  const report = await runBench(options, text => process.stderr.write(`${text}\n`));
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}`;
  console.log(options.json ? JSON.stringify({ machine, ...report.json }, null, 2) : `${machine}, ${report.text}`);
  process.exitCode = report.correct ? 0 : 1;
}
