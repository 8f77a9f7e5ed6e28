import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpJob, Memory } from '../load/mcp-load.ts';
import { personOf } from '../load/requests.ts';
import type { Extent, Sample } from '../load/sample.ts';
import { interleaved, rate, type Round, spreadOf } from '../measure.ts';
import { allAnswered, type Finding, latencyOf, once, perSecond } from '../report/finding.ts';
import { Helper } from '../env/helper.ts';
import { KNOWN_PEOPLE, KNOWN_TITLES, type BenchEnvironment } from '../env/bench-environment.ts';
import type { Measure } from './bench.ts';
import { storedOf } from './log-check.ts';

const IN_FLIGHT = 8;
const AT_ONCE = 64;
/** Somebody that no other call here writes about. */
const CHECKED = KNOWN_PEOPLE - 1;
const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');

/** Goal 5: writing through MCP beside the official memory server, and whether what was acknowledged is there. */
export const mcp: Measure = async ({ effort, stage: open }) => {
  const stage = await open();
  await stage.people();
  const folder = await mkdtemp(join(tmpdir(), 'rapport-bench-memory-'));
  const peer: Memory = { kind: 'server-memory', program, file: join(folder, 'memory.jsonl') };
  const hub: Memory = { kind: 'hub', url: stage.hub.url, key: stage.workspace.key };
  await writeFile(peer.file, graphOf(KNOWN_PEOPLE));
  const loads = { hub: start(), peer: start() };
  const people = { from: 0, count: CHECKED };
  const side = (name: keyof typeof loads, memory: Memory, inFlight: number) => ({
    run: (extent: Extent) => loads[name].ask({ memory, inFlight, extent, people }),
    ...(memory.kind === 'hub' && { settle: () => stage.settled(), pid: stage.hub.pid }),
  });
  try {
    const sides = await interleaved(
      {
        peer: side('peer', peer, IN_FLIGHT),
        hub: side('hub', hub, IN_FLIGHT),
        peerAlone: side('peer', peer, 1),
        hubAlone: side('hub', hub, 1),
      },
      effort,
    );
    const together = { inFlight: AT_ONCE, extent: { calls: AT_ONCE }, people: { from: CHECKED, count: 1 } };
    const before = { hub: await keptByHub(stage), peer: await keptByPeer(peer.file) };
    const acknowledged = {
      hub: await loads.hub.ask({ memory: hub, ...together }),
      peer: await loads.peer.ask({ memory: peer, ...together }),
    };
    const stored = {
      hub: ((await keptByHub(stage)) - before.hub) / 3,
      peer: ((await keptByPeer(peer.file)) - before.peer) / 3,
    };
    return [
      { ...beside(`${IN_FLIGHT} calls in flight`, sides.hub, sides.peer), floor: 10, aim: 40 },
      beside('one call at a time', sides.hubAlone, sides.peerAlone),
      togetherFinding(acknowledged, stored),
    ];
  } finally {
    await Promise.all(Object.values(loads).map(load => load.end()));
    await rm(folder, { recursive: true, force: true });
  }
};

function start(): Helper<McpJob, Sample> {
  return Helper.start('load/mcp-load.ts');
}

function beside(how: string, ours: Round[], peer: Round[]): Finding {
  return {
    goal: '5',
    workload: `MCP record of 3 observations, ${KNOWN_PEOPLE} entities, ${how}`,
    ours: perSecond(ours),
    beside: `${perSecond(peer)} server-memory add_observations`,
    figure: spreadOf(ours, peer, (a, b) => rate(a) / rate(b)),
    unit: '',
    wanted: 'more',
    correct: allAnswered(ours, peer),
    notes: [latencyOf('record', ours), latencyOf('server-memory', peer)],
  };
}

function togetherFinding(acknowledged: Record<'hub' | 'peer', Sample>, saved: Record<'hub' | 'peer', number>): Finding {
  return {
    goal: '5',
    workload: `${AT_ONCE} calls at once about one entity: stored`,
    ours: `${saved.hub} of ${acknowledged.hub.calls} acknowledged`,
    beside: `server-memory: ${saved.peer} of ${acknowledged.peer.calls} acknowledged`,
    figure: once(saved.hub),
    unit: '',
    wanted: 'more',
    floor: AT_ONCE,
    correct: saved.hub === AT_ONCE && acknowledged.hub.calls === AT_ONCE,
    notes: [],
  };
}

/** The graph of so many entities in the file format of the memory server. */
function graphOf(count: number): string {
  const lines = Array.from({ length: count }, (_, n) => {
    const observations = Array.from({ length: KNOWN_TITLES }, (_, i) => `title: Head of ${i}`);
    return JSON.stringify({ type: 'entity', name: personOf(n), entityType: 'person', observations });
  });
  return lines.join('\n');
}

async function keptByHub(stage: BenchEnvironment): Promise<number> {
  return (await storedOf(stage, personOf(CHECKED))).observations.length;
}

async function keptByPeer(file: string): Promise<number> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const line = lines.find(text => text.includes(`"${personOf(CHECKED)}"`)) ?? '{"observations":[]}';
  return (JSON.parse(line) as { observations: string[] }).observations.length;
}
