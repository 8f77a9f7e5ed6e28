import { Injectable } from '@nestjs/common';
import type { Example } from '#domain/icp/learn.js';
import { NO_MODEL } from '#domain/score/defaults.js';
import type { IcpModel, On } from '#domain/score/model.js';
import type { Facts } from '#domain/score/evidence.js';
import type { Tx } from '#kernel/db/transaction.js';
import { EvidenceService } from '../score/evidence.service.js';
import { WhomService } from '../score/whom.service.js';

/** Properties that customers are compared by. */
const COMPARED: readonly (readonly [On, string])[] = [
  ['person', 'title'],
  ['person', 'seniority'],
  ['company', 'industry'],
  ['company', 'headcount'],
  ['company', 'country'],
  ['company', 'technologies'],
];

/** A model that asks for these, so that they are looked up as those of any model. */
const PROBE: IcpModel = {
  ...NO_MODEL,
  fit: COMPARED.map(([on, property]) => ({
    id: property,
    on,
    property,
    op: 'exists',
    value: null,
    weight: 1,
    disqualify: false,
    slack: 0,
  })),
};

const FEW = 3;

/** Looks up what is known of customers that a model is to be learned from. Nobody is made. */
@Injectable()
export class ExamplesReader {
  constructor(
    private readonly whom: WhomService,
    private readonly evidence: EvidenceService,
  ) {}

  /** What is known of each, and what speaks against relying on it. */
  async read(tx: Tx, named: { readonly won: readonly string[]; readonly lost: readonly string[] }) {
    const [won, lost] = [await this.known(tx, named.won), await this.known(tx, named.lost)];
    const missing = [...won.missing, ...lost.missing];
    const given = named.won.length;
    const warnings = [
      ...(missing.length > 0 ? [`Not known, or several bear the name: ${missing.slice(0, 10).join(', ')}`] : []),
      ...(given > 0 && won.examples.length < FEW
        ? [`Only ${won.examples.length} won customers have facts to learn from; ${FEW} or more tell something.`]
        : []),
    ];
    return { won: won.examples, lost: lost.examples, warnings };
  }

  private async known(tx: Tx, texts: readonly string[]): Promise<{ examples: Example[]; missing: string[] }> {
    if (texts.length === 0) return { examples: [], missing: [] };
    const found = await this.whom.byIdentifiers(tx, texts);
    const ids = found.flatMap(each => ('entity_id' in each ? [each.entity_id] : []));
    const now = await tx.now();
    const gathering = { model: PROBE, own: new Set<string>(), asOf: now, knownAt: now, past: false };
    const gathered = await this.evidence.gather(tx, [...new Set(ids)], gathering);
    const examples = [...gathered.values()].map(({ evidence }) => exampleOf(evidence.person, evidence.company));
    const missing = texts.filter((_, i) => !('entity_id' in found[i]!));
    return { examples: examples.filter(({ size }) => size > 0), missing };
  }
}

function exampleOf(person: Facts, company: Facts): Example {
  const values = COMPARED.flatMap(([on, property]) => {
    const fact = (on === 'person' ? person : company).get(property) ?? person.get(property);
    return fact && fact.lack === undefined ? [[property, fact.value] as const] : [];
  });
  return new Map(values);
}
