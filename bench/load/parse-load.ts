import { serve } from '../env/serve.ts';
import { type Extent, driveLoad, type Sample } from './sample.ts';

/** Reading one text as JSON, again and again: what no server that takes it can do without. */
export interface ParseJob {
  readonly text: string;
  readonly extent: Extent;
}

serve<ParseJob, Sample>(({ text, extent }) =>
  driveLoad([text], extent, async (lane, tally) => {
    const began = performance.now();
    const value: unknown = JSON.parse(lane);
    if (value === null) tally.fail();
    else tally.done(performance.now() - began);
  }),
);
