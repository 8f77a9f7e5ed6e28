import { ago, exactTime } from '../words/when.ts';
import { cn } from './cn.ts';

/** How long ago a time was, with the exact time under the pointer. */
export function Moment({ at, className }: { at: string; className?: string }) {
  return (
    <time dateTime={at} title={exactTime(at)} className={cn('num text-quiet', className)}>
      {ago(at)}
    </time>
  );
}
