import { Injectable } from '@nestjs/common';
import { McpResource } from '#sdk/decorators.js';
import { listVocabulary } from '#domain/vocabulary/vocabulary.js';

/** Tells agents which names mean something to the service. */
@Injectable()
export class VocabularyResource {
  /** Returns the vocabulary as JSON, the same in each workspace. */
  @McpResource({
    uri: 'rapport://vocabulary',
    name: 'vocabulary',
    title: 'Vocabulary',
    description:
      'Properties and events that scoring, attention, context and deduplication look at, with types and aliases. ' +
      'Read it before you choose names for observations.',
    mimeType: 'application/json',
    scopes: ['read'],
  })
  read(): string {
    return JSON.stringify(listVocabulary());
  }
}
