import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

/** MB of the space for young objects, of which half is in use at a time. */
const YOUNG = 8;
/** By how much more than what is alive the old objects may grow until they are collected; by itself V8 takes up to 300. */
const PERCENT = 15;

/**
 * Keeps the heap near to what is alive. V8 sizes it for long-lived programs and takes hundreds of MB for the garbage of a
 * long file of which next to nothing stays alive; the little heap costs no measurable time. Flags are the process's: called once, in
 * its first thread.
 */
export function boundHeap(): void {
  // Threads that start later have it from the start: what is set below keeps theirs from growing, too.
  v8.setFlagsFromString(`--min-semi-space-size=${YOUNG / 2}`);
  // Both are read at each collection, not only at the start; a Node whose V8 lacks one says so and goes on.
  v8.setFlagsFromString(`--heap-growing-percent=${PERCENT}`);
  const observer = new PerformanceObserver(() => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < YOUNG * 1024 * 1024) return;
    v8.setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
