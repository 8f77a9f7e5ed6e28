import type { JudgedNote, JudgedQuestion } from '../../test/support/graph/notes-quality.ts';
import { isAnsweredRight, type Send, type Situation } from '../../test/support/graph/situations.ts';
import { createWorkspace, HubProcess } from '../env/hub.ts';
import type { Postgres } from '../env/postgres.ts';

const LIMIT = 10;

/** Runs a measurement with requests to a new workspace of a hub of its own. */
export async function withHub<Result>(postgres: Postgres, measure: (send: Send) => Promise<Result>): Promise<Result> {
  const databaseUrl = await postgres.createDatabase();
  const hub = await HubProcess.start({ env: { DATABASE_URL: databaseUrl } });
  try {
    return await measure(senderTo(hub.url, (await createWorkspace(databaseUrl)).key));
  } finally {
    await hub.stop();
  }
}

/** What a hub answers: notes are saved and questions asked over REST. @returns ids of notes by question. */
export async function servedRankings(
  send: Send,
  notes: readonly JudgedNote[],
  questions: readonly JudgedQuestion[],
): Promise<Map<string, string[]>> {
  const ours = new Map<string, string>();
  for (const { id, contact, ...note } of notes) {
    const { note: saved } = await ask<{ note: { id: string } }>(send, '/v2/notes', { focus: contact, ...note });
    ours.set(saved.id, id);
  }
  const rankings = new Map<string, string[]>();
  for (const { id, question } of questions) {
    const { documents } = await ask<{ documents: { id: string }[] }>(send, '/v2/notes/search', {
      question,
      limit: LIMIT,
    });
    rankings.set(
      id,
      documents.map(hit => ours.get(hit.id)!),
    );
  }
  return rankings;
}

/** Returns the situations that a hub answers otherwise than judged. */
export async function missedSituations(send: Send, situations: readonly Situation[]): Promise<Situation[]> {
  const missed = [];
  for (const situation of situations) if (!(await isAnsweredRight(send, situation))) missed.push(situation);
  return missed;
}

function senderTo(url: string, key: string): Send {
  return async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
}

async function ask<Body>(send: Send, path: string, request: object): Promise<Body> {
  const { status, body } = await send(path, request);
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body as Body;
}
