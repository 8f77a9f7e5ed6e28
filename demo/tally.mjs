/**
 * @typedef {object} Rejection
 * @property {import('./rows.mjs').Row} row
 * @property {number} status
 * @property {string} reason the sentence of the API
 */

/** What became of the rows so far. */
export class Tally {
  rows = 0;
  accepted = 0;
  recorded = 0;
  repeated = 0;
  claims = 0;
  waits = 0;
  /** @type {Rejection[]} */
  rejections = [];
  /** Rows per entity, and what they say: by entity id. @type {Map<string, import('./rows.mjs').Row[]>} */
  entities = new Map();

  /**
   * @param {import('./rows.mjs').Row} row
   * @param {import('./client.mjs').Answer} answer
   */
  count(row, { status, body, waits }) {
    this.rows++;
    this.waits += waits;
    if (status !== 200) {
      this.rejections.push({ row, status, reason: reasonOf(body) });
      return;
    }
    this.accepted++;
    this.recorded += body.recorded;
    this.repeated += body.duplicates;
    this.claims += body.claims_recomputed.length;
    const about = this.entities.get(body.entity_id);
    if (about) about.push(row);
    else this.entities.set(body.entity_id, [row]);
  }

  /** Rejections that are the hub's fault. There should be none. */
  get failures() {
    return this.rejections.filter(({ status }) => status >= 500);
  }
}

/** The sentences of an error body. */
function reasonOf({ error, detail, details = [] }) {
  const sentences = [detail ?? error, ...details.map(({ message }) => message)];
  return [...new Set(sentences)].join(' ');
}

/**
 * The entity with the most rows; of several, the one whose rows contradict each other most.
 * @param {ReadonlyMap<string, readonly import('./rows.mjs').Row[]>} entities
 */
export function mostTalkedAbout(entities) {
  const ranked = [...entities].toSorted(([, a], [, b]) => b.length - a.length || valuesIn(b) - valuesIn(a));
  return ranked[0]?.[0];
}

function valuesIn(rows) {
  return new Set(rows.flatMap(({ facts }) => Object.entries(facts).map(fact => fact.join('=')))).size;
}

/** The full name that most of these rows give; of several, the one that comes first. */
export function nameMostUsed(rows) {
  const names = rows.flatMap(({ facts }) => facts.name ?? []);
  const ranked = [...Map.groupBy(names, name => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return ranked[0]?.[0] ?? 'Name unknown';
}
