/** Answers the jobs that the benchmark sends to this process, one at a time. */
export function serve<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.on('message', async (job: Job) => {
    try {
      process.send?.({ result: await run(job) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', () => process.exit(0));
}
