/** How a claim is drawn wherever it appears: by signs and words, so that nothing depends on colour. */
const CLASSES = {
  asserted: '●',
  observed: '◉',
  reported: '○',
  inferred: '◌',
  corroborated: '◆',
  contested: '◪',
  ended: '⊘',
};

/** The fresher, the stronger the ink. */
const INKS = { fresh: 'strong', aging: 'plain', suspect: 'quiet', expired: 'stale' };

const STEPS = 5;

/** The sign and the word of an epistemic class. */
export function classOf(name) {
  return `${CLASSES[name] ?? '·'} ${name}`;
}

/** What the signs of the classes mean, in few enough columns for any page. */
export const LEGEND = Object.keys(CLASSES).map(classOf).join(' ');

/** Confidence as a bar of five steps, with the number beside it. */
export function confidenceOf(confidence) {
  const full = Math.round(confidence * STEPS);
  return `${'▰'.repeat(full)}${'▱'.repeat(STEPS - full)} ${confidence.toFixed(2)}`;
}

/** Freshness as a word; what is in doubt bears a clock. */
export function freshnessOf(freshness) {
  return freshness === 'suspect' || freshness === 'expired' ? `${freshness} ◷` : freshness;
}

/** The tone that a value of this freshness is written in. */
export function inkOf(freshness) {
  return INKS[freshness] ?? 'plain';
}

/** A value in one line. */
export function valueOf(value) {
  if (value === null) return 'ended';
  if (Array.isArray(value)) return value.map(valueOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
