import { useMay } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import { useLoadSampleData } from './useSampleData.ts';

/** The button that fills a workspace with invented people and companies. */
export function LoadSampleData() {
  const mayChange = useMay('settings');
  const load = useLoadSampleData();
  return (
    <>
      {load.error && <ProblemNote error={load.error} />}
      <Button disabled={load.isPending} reason={mayChange ? undefined : w.needs.settings} onClick={() => load.mutate()}>
        {load.isPending ? w.sample.loading : w.sample.load}
      </Button>
    </>
  );
}
