import fc from 'fast-check';
import { computeClusters, type EntityLink, findLinksToRetract, type ClusterNode } from '#domain/identity/clusters.js';

const letters = 'abcdefgh'.split('');
const nodes = fc
  .array(fc.nat(3), { minLength: letters.length, maxLength: letters.length })
  .map(ages => letters.map<ClusterNode>((id, i) => ({ id, createdAt: ages[i]! })));
const link = (kind: EntityLink['kind']) =>
  fc
    .record({ id: fc.uuid(), a: fc.constantFrom(...letters), b: fc.constantFrom(...letters), createdAt: fc.nat(5) })
    .filter(({ a, b }) => a !== b)
    .map<EntityLink>(parts => ({ ...parts, kind }));
const links = fc.array(fc.oneof({ weight: 4, arbitrary: link('same_as') }, link('not_same')), { maxLength: 12 });

const inOne = (clusters: readonly (readonly string[])[], a: string, b: string) =>
  clusters.some(cluster => cluster.includes(a) && cluster.includes(b));

describe('clusters', () => {
  it('do not depend on the order of entities or links', () => {
    fc.assert(
      fc.property(
        nodes.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        links.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([inOrder, shuffled], [given, mixed]) => {
          expect(computeClusters(shuffled, mixed)).toEqual(computeClusters(inOrder, given));
        },
      ),
    );
  });

  it('hold everybody once, the oldest first, then by id', () => {
    fc.assert(
      fc.property(nodes, links, (all, message) => {
        const clusters = computeClusters(all, message);
        expect(clusters.flat().toSorted()).toEqual(letters);
        const age = new Map(all.map(({ id, createdAt }) => [id, `${createdAt} ${id}`]));
        for (const cluster of clusters) {
          expect(cluster.map(id => age.get(id)!)).toEqual(cluster.map(id => age.get(id)!).toSorted());
        }
      }),
    );
  });

  it('never hold two entities that are kept apart', () => {
    fc.assert(
      fc.property(nodes, links, (all, output) => {
        const clusters = computeClusters(all, output);
        for (const { a, b } of output.filter(({ kind }) => kind === 'not_same'))
          expect(inOne(clusters, a, b)).toBe(false);
      }),
    );
  });

  it('join linked entities unless they are kept apart', () => {
    fc.assert(
      fc.property(nodes, fc.array(link('same_as'), { maxLength: 12 }), (all, text) => {
        const clusters = computeClusters(all, text);
        for (const { a, b } of text) expect(inOne(clusters, a, b)).toBe(true);
        const merges = new Set(text.map(({ a, b }) => [a, b].toSorted().join()));
        expect(clusters.length).toBeGreaterThanOrEqual(letters.length - merges.size);
      }),
    );
  });

  it('are what they were once a merge is taken back', () => {
    const two = fc.shuffledSubarray(letters, { minLength: 2, maxLength: 2 }) as fc.Arbitrary<[string, string]>;
    fc.assert(
      fc.property(nodes, links, two, (all, stated, [a, b]) => {
        const before = computeClusters(all, stated);
        fc.pre(!inOne(before, a, b) && findLinksToRetract(a, b, stated).length === 0);
        const merge: EntityLink = { id: 'merge', a, b, kind: 'same_as', createdAt: 9 };
        const undone = findLinksToRetract(b, a, [...stated, merge]);
        expect(undone).toEqual([merge]);
        expect(
          computeClusters(
            all,
            stated.concat(merge).filter(each => !undone.includes(each)),
          ),
        ).toEqual(before);
      }),
    );
  });

  it('hold two no longer once the links between them are retracted', () => {
    const two = fc.shuffledSubarray(letters, { minLength: 2, maxLength: 2 }) as fc.Arbitrary<[string, string]>;
    fc.assert(
      fc.property(nodes, links, two, (all, stated, [a, b]) => {
        const undone = findLinksToRetract(a, b, stated);
        const left = stated.filter(each => !undone.includes(each));
        expect(inOne(computeClusters(all, left), a, b)).toBe(false);
        for (const each of undone) expect(each.kind).toBe('same_as');
      }),
    );
  });

  it('come apart at the merge that brought two together, not at one of their own', () => {
    const old: EntityLink = { id: '1', a: 'a', b: 'b', kind: 'same_as', createdAt: 1 };
    const young: EntityLink = { id: '2', a: 'b', b: 'c', kind: 'same_as', createdAt: 2 };
    expect(findLinksToRetract('a', 'c', [young, old])).toEqual([young]);
    expect(findLinksToRetract('a', 'd', [young, old])).toEqual([]);
  });
});
