import type { NotesLimit } from '../load/notes-load.ts';
import type { Extent } from '../load/sample.ts';
import { interleaved, type Round, type Contender, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, grouped, latencyOf, perSecond } from '../report/finding.ts';
import { Helper } from '../env/helper.ts';
import { createWorkspace } from '../env/hub.ts';
import { copyNotes, seedNotes } from '../env/notes.ts';
import { ask, type Postgres } from '../env/postgres.ts';
import { BenchEnvironment } from '../env/bench-environment.ts';
import { recallOf } from './notes-recall.ts';
import type { Bench, Measure } from './bench.ts';

const PASSAGES = 5000;
const OTHER_WORKSPACES = 100;
/** Short notes of the workspace that the others are copies of. */
const TEMPLATE_NOTES = 500;
const OTHERS_PASSAGES = OTHER_WORKSPACES * TEMPLATE_NOTES;

/** Goal 12: a search by words, beside full text with a GIN index, and beside the same search among many other notes. */
export const notesByWords: Measure = async bench => {
  const [alone, among] = [await BenchEnvironment.open(bench.postgres), await BenchEnvironment.open(bench.postgres)];
  try {
    await seedNotes(alone, PASSAGES, false);
    const others = await seedAmongOthers(among, bench);
    const sides = await interleaved(
      {
        bare: bareContender(alone, 'passages-by-words'),
        ours: hubContender('search', alone),
        among: hubContender('search among', among),
      },
      bench.effort,
    );
    return [
      { ...beside('12', 'by words', sides.ours, sides.bare, 'full text with GIN alone'), floor: 2 },
      {
        goal: '12',
        workload: `the same with ${grouped(others)} passages of ${OTHER_WORKSPACES} other workspaces, p50`,
        ours: perSecond(sides.among),
        beside: `${perSecond(sides.ours)} alone`,
        figure: spreadOf(sides.among, sides.ours, (a, b) => a.p50 / b.p50),
        unit: '',
        wanted: 'less',
        floor: 1.3,
        correct: allAnswered(sides.among, sides.ours),
        notes: [latencyOf('among others', sides.among)],
      },
    ];
  } finally {
    await alone.close();
    await among.close();
  }
};

/** Goal 11: a search by words and vectors, beside both of them in one statement. Only where the server has pgvector. */
export const notesByMeaning: Measure = async ({ postgres, effort }) => {
  if (!(await hasVectors(postgres))) return [];
  const embedder = Helper.start<'open', string>('baselines/embedder.ts');
  const settings = { EMBEDDINGS_URL: await embedder.ask('open'), EMBEDDINGS_MODEL: 'bench' };
  const stage = await BenchEnvironment.open(postgres, undefined, settings);
  try {
    await seedNotes(stage, PASSAGES, true);
    const recall = await recallOf(stage);
    const sides = await interleaved(
      { bare: bareContender(stage, 'passages-hybrid'), ours: hubContender('hybrid', stage) },
      effort,
    );
    return [
      { ...beside('11', 'by words and vectors', sides.ours, sides.bare, 'hybrid SQL'), floor: 3, aim: 1.5 },
      recall,
    ];
  } finally {
    await stage.close();
    await embedder.end();
  }
};

async function seedAmongOthers(stage: BenchEnvironment, { large }: Bench): Promise<number> {
  const template = await createWorkspace(stage.databaseUrl);
  const { failed } = await stage.onHub(
    'setup',
    8,
    { calls: TEMPLATE_NOTES },
    { name: 'note', kind: 'short' },
    template.key,
  );
  if (failed > 0) throw new Error('the notes of other workspaces could not be saved');
  const copies = Math.max(1, Math.round(large / OTHERS_PASSAGES));
  await copyNotes(stage.databaseUrl, template.id, OTHER_WORKSPACES, copies);
  await seedNotes(stage, PASSAGES, false);
  return copies * OTHERS_PASSAGES;
}

function hubContender(name: string, stage: BenchEnvironment): Contender {
  return { run: (extent: Extent) => stage.onHub(name, 1, extent, { name: 'notes-search' }), pid: stage.hub.pid };
}

function bareContender(stage: BenchEnvironment, name: NotesLimit['name']): Contender {
  return { run: extent => stage.onDatabase(name, 1, extent, { name, workspace: stage.workspace.id }) };
}

function beside(goal: string, how: string, ours: Round[], bare: Round[], what: string): Finding {
  return {
    goal,
    workload: `POST /v2/notes/search ${how}, ${grouped(PASSAGES)} passages, p50`,
    ours: perSecond(ours),
    beside: `${perSecond(bare)} ${what}`,
    figure: spreadOf(ours, bare, (a, b) => a.p50 / b.p50),
    unit: '',
    wanted: 'less',
    correct: allAnswered(ours, bare),
    notes: [latencyOf('search', ours), latencyOf(what, bare)],
  };
}

async function hasVectors(postgres: Postgres): Promise<boolean> {
  const sql = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'";
  return (await ask(await postgres.createDatabase(), sql)).length > 0;
}
