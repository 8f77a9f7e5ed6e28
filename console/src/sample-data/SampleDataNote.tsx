import { w } from '../words/en.ts';
import { RemoveSampleData } from './RemoveSampleData.tsx';
import { useSampleData } from './useSampleData.ts';

/** Says that the workspace has sample data, as long as it is there. */
export function SampleDataNote() {
  const isLoaded = useSampleData();
  if (!isLoaded) return null;
  return (
    <div className="mx-4 mb-3 flex flex-wrap items-center justify-between gap-3 rounded-md bg-accent-soft px-3 py-2">
      <p>{w.sample.present}</p>
      <RemoveSampleData />
    </div>
  );
}
