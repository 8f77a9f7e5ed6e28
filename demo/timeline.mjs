import { valueOf } from './grammar.mjs';
import { counted, wrapped } from './style.mjs';
import { dayOf } from './when.mjs';

const SHOWN = 20;
const ORIGIN = 28;
const BEFORE_TEXT = ' '.repeat(16);

/**
 * The newest entries of a timeline under their days. What one record of a source said is one entry.
 * @param {readonly any[]} observations newest first, as the API gives them
 * @param {import('./style.mjs').Paint} paint
 * @param {number} width columns
 */
export function timelineLines(observations, paint, width) {
  const entries = [...Map.groupBy(observations, recordOf).values()];
  const days = Map.groupBy(entries.slice(0, SHOWN), ([newest]) => dayOf(newest.observed_at));
  const lines = [...days].flatMap(([day, own]) => [`  ${day}`, ...own.flatMap(entry => linesOf(entry, paint, width))]);
  const more = entries.length - SHOWN;
  return more > 0 ? [...lines, paint('quiet', `  … and ${counted(more, 'earlier entry', 'earlier entries')}`)] : lines;
}

/** Facts with one external id came from one record. */
function recordOf({ id, kind, source, external_id }) {
  return kind === 'state' && external_id ? `${source} ${external_id}` : id;
}

function linesOf(entry, paint, width) {
  const [{ kind, source, method, observed_at }] = entry;
  const isEvent = kind === 'event';
  const origin = `${source} ${method}`.padEnd(ORIGIN);
  const text = isEvent
    ? eventText(entry[0])
    : entry
        .map(({ type, value }) => `${type} ${valueOf(value)}`)
        .toReversed()
        .join(', ');
  const [first, ...rest] = wrapped(text, width - BEFORE_TEXT.length - ORIGIN - 2);
  const dress = line => paint(isEvent ? 'strong' : 'plain', line);
  const sign = isEvent ? paint('accent', '▸') : paint('quiet', '·');
  return [
    `    ${paint('quiet', observed_at.slice(11, 19))}  ${sign} ${paint('quiet', origin)}  ${dress(first)}`,
    ...rest.map(line => BEFORE_TEXT + ' '.repeat(ORIGIN + 2) + dress(line)),
  ];
}

function eventText({ type, value }) {
  const detail = value && (value.description ?? value.subject);
  return `${type.replaceAll('_', ' ')}${detail ? `: ${detail}` : ''}`;
}
