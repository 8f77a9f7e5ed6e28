import { readFileSync } from 'node:fs';

/** A note of the evaluation set, kept on `contact`. */
export interface JudgedNote {
  readonly id: string;
  /** E-mail address. */
  readonly contact: string;
  readonly type: string;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly content: string;
}

/** A question of the evaluation set. */
export interface JudgedQuestion {
  readonly id: string;
  readonly question: string;
  /** Whether it shares few or no words of content with the notes that answer it. */
  readonly paraphrase: boolean;
  /** 2 for what answers it, 1 for what is related, by id. */
  readonly relevant: Readonly<Record<string, number>>;
}

/** How good rankings are, each 0 to 1, averaged over questions. */
export interface Figures {
  readonly questions: number;
  /** Share of the relevant notes (grades 1 and 2) among the first eight; of more than eight, eight are all. */
  readonly recall: number;
  /** The same for the notes that answer (grade 2) alone. */
  readonly answers: number;
  /** Discounted cumulative gain of the first ten, beside that of the best order (gain 2^grade - 1, discount log2). */
  readonly ndcg: number;
}

/** How many places recall looks at: the default limit of a search. */
export const RECALL_AT = 8;
/** How many places nDCG looks at. */
export const NDCG_AT = 10;

/** The notes of the set. */
export const judgedNotes = (): JudgedNote[] => read('notes.json');

/** The questions of the set. */
export const judgedQuestions = (): JudgedQuestion[] => read('queries.json');

/** The figures of these questions. `rankings`: the ids found for each question, the first one on top. */
export function figuresOf(questions: readonly JudgedQuestion[], rankings: ReadonlyMap<string, string[]>): Figures {
  const mean = (figure: (found: string[], relevant: JudgedQuestion['relevant']) => number) =>
    questions.reduce((sum, { id, relevant }) => sum + figure(rankings.get(id) ?? [], relevant), 0) / questions.length;
  return {
    questions: questions.length,
    recall: mean((found, relevant) => recallOf(found, relevant, 1)),
    answers: mean((found, relevant) => recallOf(found, relevant, 2)),
    ndcg: mean(ndcgOf),
  };
}

function recallOf(found: string[], relevant: JudgedQuestion['relevant'], grade: number): number {
  const wanted = Object.keys(relevant).filter(id => relevant[id]! >= grade);
  const seen = new Set(found.slice(0, RECALL_AT));
  return wanted.filter(id => seen.has(id)).length / Math.min(wanted.length, RECALL_AT);
}

function ndcgOf(found: string[], relevant: JudgedQuestion['relevant']): number {
  const best = Object.values(relevant).toSorted((one, other) => other - one);
  return gainOf(found.map(id => relevant[id] ?? 0)) / gainOf(best);
}

function gainOf(grades: number[]): number {
  return grades.slice(0, NDCG_AT).reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}

function read<Row>(file: string): Row[] {
  return JSON.parse(readFileSync(new URL(`../../vectors/notes/${file}`, import.meta.url), 'utf8')) as Row[];
}
