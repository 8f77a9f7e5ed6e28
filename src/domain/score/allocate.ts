/**
 * Distributes `total` whole points among parts whose sum rounds to it: each part is rounded down, and the remaining
 * points go to the parts with the largest remainder, the earlier of equals first. The result adds up to `total`, and no
 * part is off by more than one.
 */
export function allocatePoints(parts: readonly number[], total: number): number[] {
  const points = parts.map(Math.floor);
  let left = total - points.reduce((sum, point) => sum + point, 0);
  if (left === 0) return points;
  const loss = (i: number) => parts[i]! - Math.floor(parts[i]!);
  const byLoss = [...parts.keys()].sort((a, b) => loss(b) - loss(a) || a - b);
  for (const i of byLoss) {
    if (left <= 0) break;
    points[i]!++;
    left--;
  }
  for (const i of byLoss.toReversed()) {
    if (left >= 0) break;
    points[i]!--;
    left++;
  }
  return points;
}

/** Scales negative parts so that the sum is not below zero. */
export function clampToZero(parts: readonly number[]): number[] {
  if (parts.every(part => part >= 0)) return [...parts];
  const gained = parts.reduce((sum, part) => sum + Math.max(part, 0), 0);
  const lost = -parts.reduce((sum, part) => sum + Math.min(part, 0), 0);
  if (lost <= gained) return [...parts];
  return parts.map(part => (part < 0 ? (part * gained) / lost : part));
}
