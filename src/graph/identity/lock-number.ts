/**
 * Returns the last eight bytes of a UUIDv7, which are random, as an advisory lock key. Two ids with the same key only
 * wait for each other. They cannot deadlock, because locks are taken in one order.
 */
export function toLockKey(id: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(16)}`));
}
