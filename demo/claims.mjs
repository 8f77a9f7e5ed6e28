import { classOf, confidenceOf, freshnessOf, inkOf, LEGEND, valueOf } from './grammar.mjs';
import { counted, cut, wrapped } from './style.mjs';
import { periodOf } from './when.mjs';

const PROPERTY = 14;
const CONFIDENCE = 10;
const FRESHNESS = 9;
const GROUND = 14;
const SOURCES = 10;
const GAP = 2;
/** Narrower pages leave the number of sources out. */
const ROOM_FOR_SOURCES = 96;
const LONGEST_VALUE = 30;
const INDENT = ' '.repeat(PROPERTY + 2 * GAP);
const OPPONENTS_SHOWN = 3;
const PERIODS_SHOWN = 3;
/** What a reader wants first; the rest follows by name. */
const FIRST = ['name', 'title', 'company', 'email_status', 'do_not_contact', 'stage', 'intent'];

/**
 * The claims of an account as a table, each with what stands against it and what was the case before.
 * @param {readonly any[]} claims as the API gives them
 * @param {import('./style.mjs').Paint} paint
 * @param {number} width columns
 */
export function claimLines(claims, paint, width) {
  const heading = paint('quiet', inColumns(['', 'value', 'confidence', 'freshness', 'ground', 'sources'], width));
  return [
    heading,
    ...claims.toSorted(byInterest).flatMap(claim => linesOf(claim, paint, width)),
    '',
    paint('quiet', `  ${LEGEND}`),
  ];
}

function byInterest(one, other) {
  const place = ({ property }) => (FIRST.includes(property) ? FIRST.indexOf(property) : FIRST.length);
  return place(one) - place(other) || (one.property < other.property ? -1 : 1);
}

function linesOf(claim, paint, width) {
  const { property, value, confidence, freshness, epistemic_class: ground, sources } = claim;
  const tones = ['plain', inkOf(freshness), 'plain', 'plain', ground === 'contested' ? 'doubt' : 'accent', 'quiet'];
  const cells = [
    property,
    valueOf(value),
    confidenceOf(confidence),
    freshnessOf(freshness),
    classOf(ground),
    counted(sources.length, 'source'),
  ];
  const row = inColumns(cells, width, (cell, i) => paint(tones[i], cell));
  return [row, ...opposingLines(claim, paint, width), ...historyLines(claim, paint, width)];
}

/** Painting comes after padding is worked out, because colours have no width. */
function inColumns(cells, width, dress = cell => cell) {
  const padded = columnsOf(width).map((room, i) => {
    const shown = cut(cells[i], room);
    return dress(shown, i) + ' '.repeat(room - shown.length);
  });
  return padded
    .map(cell => ' '.repeat(GAP) + cell)
    .join('')
    .trimEnd();
}

function columnsOf(width) {
  const others = [CONFIDENCE, FRESHNESS, GROUND, ...(width < ROOM_FOR_SOURCES ? [] : [SOURCES])];
  const taken = [PROPERTY, ...others].reduce((sum, room) => sum + room + GAP, GAP);
  return [PROPERTY, Math.min(LONGEST_VALUE, width - taken), ...others];
}

function opposingLines({ opposing }, paint, width) {
  const shown = opposing
    .slice(0, OPPONENTS_SHOWN)
    .flatMap(({ value, why }) => hanging('◇ against ', `${valueOf(value)}. ${why}`, width));
  const more = opposing.length - OPPONENTS_SHOWN;
  const lines = more > 0 ? [...shown, `${INDENT}◇ and ${counted(more, 'other')} against it`] : shown;
  return lines.map(line => paint('doubt', line));
}

function historyLines({ history = [] }, paint, width) {
  if (history.length === 0) return [];
  const shown = history
    .slice(0, PERIODS_SHOWN)
    .map(({ value, valid_from, valid_to }) => `${valueOf(value)} (${periodOf(valid_from, valid_to)})`);
  const more = history.length - PERIODS_SHOWN;
  const text = [...shown, ...(more > 0 ? [`and ${counted(more, 'value')} before`] : [])].join(', ');
  return hanging('↺ before  ', text, width).map(line => paint('quiet', line));
}

function hanging(label, text, width) {
  const lines = wrapped(text, width - INDENT.length - label.length);
  return lines.map((line, i) => INDENT + (i === 0 ? label : ' '.repeat(label.length)) + line);
}
