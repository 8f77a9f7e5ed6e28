import { type TestHub, startTestHub } from '../../support/hub.js';
import { foundIds, saveNote } from '../../support/graph/notes.js';
import { figuresOf, judgedNotes, judgedQuestions, NDCG_AT } from '../../support/graph/notes-quality.js';

const notes = judgedNotes();
const questions = judgedQuestions();
const rankings = new Map<string, string[]>();
let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
  const client = await hub.workspace();
  const ours = new Map<string, string>();
  for (const { id, contact, content, ...more } of notes) {
    ours.set((await saveNote(client, contact, content, more)).id, id);
  }
  for (const { id, question } of questions) {
    const found = await foundIds(client, question, { limit: NDCG_AT });
    rankings.set(
      id,
      found.map(each => ours.get(each)!),
    );
  }
});
afterAll(() => hub.end());

describe('search over the notes of the evaluation set', () => {
  // Floors a little below what was measured: raise them when search gets better, never lower them.
  it.each([
    { what: 'all questions', asked: questions, recall: 0.585, ndcg: 0.565 },
    { what: 'paraphrases', asked: questions.filter(q => q.paraphrase), recall: 0.355, ndcg: 0.345 },
    {
      what: 'questions in the words of the notes',
      asked: questions.filter(q => !q.paraphrase),
      recall: 0.94,
      ndcg: 0.925,
    },
  ])('finds for $what as much as it did', ({ asked: response, recall, ndcg }) => {
    const figures = figuresOf(response, rankings);
    expect(figures.recall).toBeGreaterThanOrEqual(recall);
    expect(figures.ndcg).toBeGreaterThanOrEqual(ndcg);
  });

  it('is measured with notes and questions that fit together', () => {
    const ids = new Set(notes.map(({ id }) => id));
    expect(ids.size).toBe(notes.length);
    for (const { relevant } of questions) {
      expect(Object.keys(relevant).filter(id => !ids.has(id))).toEqual([]);
      expect(Object.values(relevant)).toContain(2);
    }
    expect(questions.filter(q => q.paraphrase).length).toBeGreaterThanOrEqual(questions.length / 2);
  });

  it('is measured as 1 where the order is best, and as 0 where nothing is found', () => {
    const best = new Map(
      questions.map(({ id, relevant }) => [id, Object.keys(relevant).toSorted((a, b) => relevant[b]! - relevant[a]!)]),
    );
    expect(figuresOf(questions, best)).toEqual({ questions: questions.length, recall: 1, answers: 1, ndcg: 1 });
    expect(figuresOf(questions, new Map())).toEqual({ questions: questions.length, recall: 0, answers: 0, ndcg: 0 });
  });
});
