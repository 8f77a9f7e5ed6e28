import { foldLetters, toWords } from '../comparison/canonical-key.js';
import { type StageGroup, STAGE_TYPE_WORDS, STAGE_WORDS, STAGES } from './stages.data.js';

export type { StageGroup } from './stages.data.js';

/** Whether a deal is open, won or lost, as a CRM says it of a stage. */
export type StageType = keyof typeof STAGE_TYPE_WORDS;

/** Maximum number of characters of a stage that are read. */
const MAX_STAGE_LENGTH = 200;

const exact = new Map(
  Object.entries(STAGES).flatMap(([group, words]) => words.map(word => [word, group as StageGroup] as const)),
);
const phrasesOf = (line: string) => line.split('|').map(phrase => ` ${toWords(phrase).join(' ')} `);
const byWords = STAGE_WORDS.map(([group, words]) => [group, phrasesOf(words)] as const);
const byType = Object.entries(STAGE_TYPE_WORDS).map(([type, words]) => [type as StageType, phrasesOf(words)] as const);

/**
 * Returns the group of a stage: one of the known stages, else by its words in eight languages (`3. Proposal sent`,
 * `Closed - Won`, `In Verhandlung`). Undefined for a stage whose words say nothing.
 */
export function stageGroup(stage: string): StageGroup | undefined {
  const known =
    exact.get(stage) ??
    exact.get(
      stage
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, '_'),
    );
  return known ?? findGroup(foldStage(stage));
}

function findGroup(words: string): StageGroup | undefined {
  return byWords.find(([, phrases]) => phrases.some(phrase => words.includes(phrase)))?.[0];
}

/** Returns whether a deal is open, won or lost by the type that a CRM gives to its stage; undefined for other words. */
export function readStageType(type: string): StageType | undefined {
  const words = foldStage(type);
  return byType.find(([, phrases]) => phrases.includes(words))?.[0];
}

function foldStage(stage: string): string {
  return ` ${toWords(foldLetters(stage.slice(0, MAX_STAGE_LENGTH)).replaceAll('_', ' ')).join(' ')} `;
}
