import type { Instant } from '../time/instant.js';

/** States that two entities are the same, or that they are not. */
export interface EntityLink {
  readonly id: string;
  readonly a: string;
  readonly b: string;
  readonly kind: 'same_as' | 'not_same';
  readonly createdAt: Instant;
}

/** An entity as a node of a cluster. */
export interface ClusterNode {
  readonly id: string;
  readonly createdAt: Instant;
}

/** Entities that are the same: the canonical one (oldest, then smallest ID) first, the others in the same order. */
export type Cluster = readonly string[];

/**
 * Computes the clusters of active links; the order of the arguments does not matter. `same_as` links join in the order
 * of their age. A link that would join two entities marked `not_same` is ignored.
 */
export function computeClusters(nodes: readonly ClusterNode[], links: readonly EntityLink[]): Cluster[] {
  const clusters = new Map(nodes.map(({ id }) => [id, [id]]));
  const apart = links.filter(link => link.kind === 'not_same');
  const separates = (one: readonly string[], other: readonly string[]) =>
    apart.some(({ a, b }) => (one.includes(a) && other.includes(b)) || (one.includes(b) && other.includes(a)));
  for (const { a, b } of links.filter(link => link.kind === 'same_as').toSorted(compareAge)) {
    const one = clusters.get(a);
    const other = clusters.get(b);
    if (!one || !other || one === other || separates(one, other)) continue;
    one.push(...other);
    for (const id of other) clusters.set(id, one);
  }
  const order = new Map(nodes.toSorted(compareAge).map(({ id }, place) => [id, place]));
  const ordered = [...new Set(clusters.values())].map(ids => ids.toSorted((x, y) => order.get(x)! - order.get(y)!));
  return ordered.toSorted(([x], [y]) => order.get(x!)! - order.get(y!)!);
}

/**
 * Returns the links to retract so that two merged entities are separated: the youngest link of each path between them,
 * which is the merge that joined them. Empty without a path.
 */
export function findLinksToRetract(from: string, to: string, links: readonly EntityLink[]): EntityLink[] {
  const retracted: EntityLink[] = [];
  for (let way = findPath(from, to, links); way;) {
    retracted.push(way.toSorted(compareAge).at(-1)!);
    way = findPath(
      from,
      to,
      links.filter(link => !retracted.includes(link)),
    );
  }
  return retracted;
}

function findPath(from: string, to: string, links: readonly EntityLink[]): EntityLink[] | undefined {
  const ways = new Map<string, EntityLink[]>([[from, []]]);
  for (const [here, way] of ways) {
    if (here === to) return way.length > 0 ? way : undefined;
    for (const link of links) {
      const there = link.kind === 'same_as' && (link.a === here ? link.b : link.b === here && link.a);
      if (there && !ways.has(there)) ways.set(there, [...way, link]);
    }
  }
  return undefined;
}

function compareAge(a: ClusterNode, b: ClusterNode): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
