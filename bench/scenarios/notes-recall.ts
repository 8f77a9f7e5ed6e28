import { vectorOf } from '../load/notes-load.ts';
import { type Finding, once } from '../report/finding.ts';
import { ask } from '../env/postgres.ts';
import type { BenchEnvironment } from '../env/bench-environment.ts';

const NEAREST = 10;
const QUESTIONS = 20;

/** The ten notes whose best passage is nearest, every passage compared. */
const exact = `
  SELECT note_id AS id FROM note_vectors WHERE workspace_id = $1
  GROUP BY note_id ORDER BY min(embedding <=> $2::vector), note_id LIMIT ${NEAREST}`;

/** How many of the ten nearest notes the hub finds, asked in words that no note has, so that only vectors tell. */
export async function recallOf(stage: BenchEnvironment): Promise<Finding> {
  let hits = 0;
  for (let n = 0; n < QUESTIONS; n++) {
    const question = `qx${n}jjqzz wq${n}xxjqy`;
    const values = [stage.workspace.id, JSON.stringify(vectorOf(question))];
    const wanted = (await ask<{ id: string }>(stage.databaseUrl, exact, values)).map(({ id }) => id);
    const found = new Set(await askedOf(stage, question));
    hits += wanted.filter(id => found.has(id)).length;
  }
  const share = hits / (QUESTIONS * NEAREST);
  return {
    goal: '11',
    workload: `recall@${NEAREST} of the vectors`,
    ours: share.toFixed(3),
    beside: 'every passage compared',
    figure: once(share),
    unit: '',
    wanted: 'more',
    floor: 0.95,
    correct: true,
    notes: [],
  };
}

async function askedOf({ hub, workspace }: BenchEnvironment, question: string): Promise<string[]> {
  const answer = await fetch(`${hub.url}/v2/notes/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${workspace.key}` },
    body: JSON.stringify({ question, limit: NEAREST }),
  });
  const { documents } = (await answer.json()) as { documents: { id: string }[] };
  return documents.map(({ id }) => id);
}
