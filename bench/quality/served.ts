import type { JudgedNote, JudgedQuestion } from '../../test/support/graph/notes-quality.ts';
import { createWorkspace, HubProcess, type Workspace } from '../env/hub.ts';
import type { Postgres } from '../env/postgres.ts';

const LIMIT = 10;

/** What a hub answers: notes are saved and questions asked over REST. @returns ids of notes by question. */
export async function servedRankings(
  postgres: Postgres,
  notes: readonly JudgedNote[],
  questions: readonly JudgedQuestion[],
): Promise<Map<string, string[]>> {
  const databaseUrl = await postgres.createDatabase();
  const hub = await HubProcess.start({ env: { DATABASE_URL: databaseUrl } });
  try {
    const ask = asker(hub.url, await createWorkspace(databaseUrl));
    const ours = new Map<string, string>();
    for (const { id, contact, ...note } of notes) {
      const { note: saved } = await ask<{ note: { id: string } }>('/v2/notes', { focus: contact, ...note });
      ours.set(saved.id, id);
    }
    const rankings = new Map<string, string[]>();
    for (const { id, question } of questions) {
      const { documents } = await ask<{ documents: { id: string }[] }>('/v2/notes/search', { question, limit: LIMIT });
      rankings.set(
        id,
        documents.map(hit => ours.get(hit.id)!),
      );
    }
    return rankings;
  } finally {
    await hub.stop();
  }
}

function asker(url: string, { key }: Workspace) {
  return async <Body>(path: string, body: object): Promise<Body> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
}
