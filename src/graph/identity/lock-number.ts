/**
 * Eight random bytes of a UUIDv7 as the number of an advisory lock. Two ids on one number only wait for each other;
 * they cannot block each other for good, because locks are taken in one order.
 */
export function toLockKey(id: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(16)}`));
}
