// Texts on which a backtracking expression shows its worst growth: derived from the expression itself.
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A text of any length: `prefix`, then `pump` again and again, then `suffix`. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** A part of an expression, and a text that leads to it. */
interface Lead {
  readonly node: AST.Node;
  readonly prefix: string;
}

/** A quantifier that repeats at least this often counts as unbounded. */
const MANY = 30;
const MAX_ALPHABET = 14;
const MAX_PAIRED = 8;
/** Behind the pump: nothing, what hardly any class holds, and what `.` does not hold. */
const SUFFIXES = ['', '\u0001', '\n\u0001'];
const CANDIDATES = [...'aA1 .-_,\n\'"@/:+*#!?()[]{}<>=&%$;|\\\té', 'ß', '中', '😀'];

/** Returns the text of an attack, about `length` characters long. */
export function buildText({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

/**
 * Derives attacks from the structure of an expression: each unbounded quantifier is fed with what it repeats, alone and
 * behind a text that leads to it; the whole and its alternatives are repeated; so are the single characters that the
 * expression speaks of, and their pairs.
 */
export function deriveAttacks(source: string, flags: string): Attack[] {
  const mode = flags.includes('v') ? { unicodeSets: true } : { unicode: flags.includes('u') };
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, mode);
  const accepts = (node: AST.Node, text: string) =>
    new RegExp(`^(?:${source.slice(node.start, node.end)})$`, flags.replace(/[gy]/g, '')).test(text);
  const nodes = [...nodesOf(pattern)];
  const sets = nodes.filter(node => ['Character', 'CharacterSet', 'CharacterClass'].includes(node.type));
  const literals = sets.flatMap(node => (node.type === 'Character' ? [String.fromCodePoint(node.value)] : []));
  const sampleOf = (node: AST.Node): string => sample(node, accepts, literals);
  const members = sets.filter(node => node.type !== 'Character').map(sampleOf);
  const alphabet = [...new Set([...members, ...literals.filter(each => !/[a-z]/i.test(each)), ...literals])]
    .filter(text => text !== '')
    .slice(0, MAX_ALPHABET);

  const attacks = new Map<string, Attack>();
  const add = (prefix: string, pump: string, suffixes = SUFFIXES) => {
    if (pump === '') return;
    for (const suffix of suffixes) attacks.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
  };
  for (const { node, prefix } of leads(pattern, sampleOf)) {
    const isUnbounded = node.type === 'Quantifier' && node.max >= MANY;
    if (node.type === 'Alternative' || isUnbounded) {
      const text = sampleOf(node.type === 'Quantifier' ? node.element : node);
      for (const pump of [text, prefix + text, `${prefix + text} `, `${prefix + text}.`]) add('', pump);
      for (const each of [prefix, `${prefix} `]) add(each, text);
    }
    if (!isUnbounded) continue;
    for (const text of [...alphabet.slice(0, 4), 'a', 'A', '1', ' ', '中'].filter(each =>
      accepts(node.element, each),
    )) {
      add('', text);
      add(prefix, text);
      add(prefix + sampleOf(node), text, ['\u0001']);
      add('', prefix + text, ['\u0001']);
    }
  }
  for (const text of alphabet) add('', text);
  for (const one of alphabet.slice(0, MAX_PAIRED)) {
    for (const other of alphabet.slice(0, MAX_PAIRED)) if (one !== other) add('', one + other, ['\u0001']);
  }
  for (const text of ['.a', ' a', 'a ', '1', ' ', '\n', 'a', 'a.', '((', '[[', '@a', '中', 'é'])
    add('', text, ['\u0001']);
  return [...attacks.values()];
}

/** Each alternative and quantifier with a text that leads to it. */
function* leads(node: AST.Node, sampleOf: (node: AST.Node) => string, prefix = ''): Generator<Lead> {
  if (node.type === 'Alternative' || node.type === 'Quantifier') yield { node, prefix };
  let lead = prefix;
  for (const child of childrenOf(node)) {
    yield* leads(child, sampleOf, lead);
    if (node.type === 'Alternative') lead += sampleOf(child);
  }
}

function* nodesOf(node: AST.Node): Generator<AST.Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
  if (node.type !== 'CharacterClass') return;
  for (const element of node.elements) {
    if (element.type === 'Character') yield element;
    if (element.type === 'CharacterClassRange') yield element.min;
  }
}

function childrenOf(node: AST.Node): readonly AST.Node[] {
  if (node.type === 'Quantifier') return [node.element];
  if (node.type === 'Alternative') return node.elements;
  if (node.type === 'Pattern' || node.type === 'Group' || node.type === 'CapturingGroup') return node.alternatives;
  return node.type === 'Assertion' && 'alternatives' in node ? node.alternatives : [];
}

/** A short text that a part of an expression matches, as far as that can be told from the part alone. */
function sample(node: AST.Node, accepts: (node: AST.Node, text: string) => boolean, literals: string[]): string {
  const of = (each: AST.Node): string => sample(each, accepts, literals);
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return [...CANDIDATES, ...literals].find(text => accepts(node, text)) ?? '';
    case 'Quantifier':
      return node.max === 0 ? '' : of(node.element).repeat(Math.max(1, Math.min(node.min, 200)));
    case 'Alternative':
      return node.elements.map(of).join('');
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return of(node.alternatives.find(({ elements }) => elements.length > 0) ?? node.alternatives[0]!);
    default:
      return '';
  }
}
