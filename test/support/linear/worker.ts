// Measures subjects in a thread of its own, so that one that never ends can be stopped.
import { parentPort, workerData } from 'node:worker_threads';
import type { Attack } from './attack-strings.js';
import { elapsedMs, findGrowth, type Growth } from './growth.js';
import { type Subject, subjectsOf, textFor } from './subjects.js';

/** What the thread is given: the kind of subjects, and the place of the first one to measure. */
export interface Order {
  readonly kind: 'expressions' | 'scans';
  readonly from: number;
}

/** What the thread sends: which subject it begins, the growth that it found, and how many subjects there are at the end. */
export type Report =
  | { readonly begins: number; readonly name: string }
  | { readonly name: string; readonly attack: Attack; readonly growth: Growth }
  | { readonly measured: number };

/** Short texts first, because on long ones an exponential expression would not end. */
const FIRST_LENGTHS = [60, 500];
const SCREEN_LENGTH = 4_000;
/** Quadratic work on {@link SCREEN_LENGTH} characters takes longer. */
const SUSPICIOUS_MS = 0.8;
/** So long on so short a text is looked into at once. */
const CLEAR_MS = 50;
/** The slowest attacks of a subject are measured in full. */
const MAX_SUSPECTS = 2;

function growthOf(subject: Subject): { attack: Attack; growth: Growth } | undefined {
  const measure = (attack: Attack) => {
    const growth = findGrowth(length => textFor(subject, attack, length), subject.run);
    return growth && { attack, growth };
  };
  const suspects: { attack: Attack; ms: number }[] = [];
  let slowest: { attack: Attack; ms: number } | undefined;
  for (const attack of subject.attacks()) {
    const isSlow = FIRST_LENGTHS.some(length => elapsedMs(subject.run, textFor(subject, attack, length)) > CLEAR_MS);
    const text = textFor(subject, attack, SCREEN_LENGTH);
    const ms = isSlow ? CLEAR_MS : elapsedMs(subject.run, text);
    const found = ms >= CLEAR_MS ? measure(attack) : undefined;
    if (found) return found;
    if (slowest === undefined || ms > slowest.ms) slowest = { attack, ms };
    if (ms < SUSPICIOUS_MS) continue;
    const again = Math.min(ms, elapsedMs(subject.run, text));
    if (again >= SUSPICIOUS_MS) suspects.push({ attack, ms: again });
  }
  const tried = suspects.toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SUSPECTS);
  for (const { attack } of tried.length > 0 || !slowest ? tried : [slowest]) {
    const found = measure(attack);
    if (found) return found;
  }
  return undefined;
}

const { kind, from } = workerData as Order;
const send = (report: Report) => parentPort!.postMessage(report, []);
const subjects = subjectsOf(kind);
for (const [i, subject] of subjects.entries()) {
  if (i < from) continue;
  send({ begins: i, name: subject.name });
  const found = growthOf(subject);
  if (found) send({ name: subject.name, ...found });
}
send({ measured: subjects.length });
