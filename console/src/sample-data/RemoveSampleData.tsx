import { useMay } from '../api/workspace.tsx';
import { Button } from '../ui/Button.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { w } from '../words/en.ts';
import { useRemoveSampleData } from './useSampleData.ts';

/** The button that removes the sample data. */
export function RemoveSampleData() {
  const mayChange = useMay('settings');
  const remove = useRemoveSampleData();
  return (
    <>
      {remove.error && <ProblemNote error={remove.error} />}
      <Button
        disabled={remove.isPending}
        reason={mayChange ? undefined : w.needs.settings}
        onClick={() => remove.mutate()}
      >
        {w.sample.remove}
      </Button>
    </>
  );
}
