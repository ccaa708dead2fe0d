import type { Shard } from './messages.ts';

/** Whether the record with the key belongs to the shard: those that repeat a key stay together. */
export function isOfShard(key: number, { number, of }: Shard): boolean {
  return key % of === number - 1;
}
