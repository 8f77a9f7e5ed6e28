import { w } from '../words/en.ts';
import { LoadSampleData } from './LoadSampleData.tsx';
import { RemoveSampleData } from './RemoveSampleData.tsx';
import { useSampleData } from './useSampleData.ts';

/** Loads the sample data, or removes it, in the settings of a workspace. */
export function SampleDataSection() {
  const isLoaded = useSampleData();
  if (isLoaded === undefined) return null;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{w.sample.title}</h2>
      <p className="text-quiet">{isLoaded ? w.sample.present : w.sample.absent}</p>
      {isLoaded ? <RemoveSampleData /> : <LoadSampleData />}
    </section>
  );
}
