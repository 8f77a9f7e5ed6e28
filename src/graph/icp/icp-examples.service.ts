import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { COMPARED_PROPERTIES, type CustomerExample } from '#domain/icp/example-bins.js';
import { EMPTY_MODEL, type IcpModel } from '#domain/score/model.js';
import type { FactMap } from '#domain/score/evidence.js';
import { EvidenceService } from '../score/evidence.service.js';
import { ScoreTargetsService } from '../score/score-targets.service.js';

/** Maximum number of newest leads that a model is tried on. */
export const SAMPLE_SIZE = 200;

/** Reads the canonical IDs of the people of the newest leads, or of the newest people if there are no leads. */
export async function readNewestLeads(tx: Tx): Promise<string[]> {
  const leads = await tx.query<{ id: string }>(
    `SELECT DISTINCT coalesce(e.canonical_id, e.id) AS id
     FROM (SELECT entity_id FROM leads WHERE workspace_id = $1 ORDER BY id DESC LIMIT ${SAMPLE_SIZE}) AS l
     JOIN entities e ON e.workspace_id = $1 AND e.id = l.entity_id`,
    [tx.workspace],
  );
  if (leads.length > 0) return leads.map(({ id }) => id);
  const people = await tx.query<{ id: string }>(
    `SELECT id FROM entities WHERE workspace_id = $1 AND type = 'person' AND canonical_id IS NULL
     ORDER BY id DESC LIMIT ${SAMPLE_SIZE}`,
    [tx.workspace],
  );
  return people.map(({ id }) => id);
}

/** A model with a rule for each compared property, so that the evidence service reads them. */
const PROBE_MODEL: IcpModel = {
  ...EMPTY_MODEL,
  fit: COMPARED_PROPERTIES.map(({ on, property }) => ({
    id: property,
    on,
    property,
    op: 'exists',
    value: null,
    weight: 1,
    disqualify: false,
    slack: 0,
    and: [],
  })),
};

/** Looks up the facts of customers that a model is inferred from. Creates no entities. */
@Injectable()
export class IcpExamplesService {
  constructor(
    private readonly targets: ScoreTargetsService,
    private readonly evidence: EvidenceService,
  ) {}

  /** Returns the facts of won and lost customers, and a warning about those that are not known. */
  async read(tx: Tx, named: { readonly won: readonly string[]; readonly lost: readonly string[] }) {
    const [won, lost] = [await this.findExamples(tx, named.won), await this.findExamples(tx, named.lost)];
    const missing = [...won.missing, ...lost.missing];
    const warnings =
      missing.length > 0 ? [`Not known, or several bear the name: ${missing.slice(0, 10).join(', ')}`] : [];
    return { won: won.examples, lost: lost.examples, warnings };
  }

  private async findExamples(
    tx: Tx,
    texts: readonly string[],
  ): Promise<{ examples: CustomerExample[]; missing: string[] }> {
    if (texts.length === 0) return { examples: [], missing: [] };
    const targets = await this.targets.resolveIdentifiers(tx, texts);
    const ids = targets.flatMap(each => ('entity_id' in each ? [each.entity_id] : []));
    const now = await tx.now();
    const query = { model: PROBE_MODEL, own: new Set<string>(), asOf: now, knownAt: now, past: false };
    const found = await this.evidence.gather(tx, [...new Set(ids)], query);
    const examples = [...found.values()].map(({ evidence }) => toExample(evidence.person, evidence.company));
    const missing = texts.filter((_, i) => !('entity_id' in targets[i]!));
    return { examples: examples.filter(({ size }) => size > 0), missing };
  }
}

function toExample(person: FactMap, company: FactMap): CustomerExample {
  const values = COMPARED_PROPERTIES.flatMap(({ on, property }) => {
    const fact = (on === 'person' ? person : company).get(property) ?? person.get(property);
    return fact && fact.missingReason === undefined ? [[property, fact.value] as const] : [];
  });
  return new Map(values);
}
