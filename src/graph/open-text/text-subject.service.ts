import { Injectable } from '@nestjs/common';
import type { JsonValue } from '#domain/observation/observation.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { parseKnownNames, listModelTechnologies, findNamedPeople } from '#domain/extract/known-names.js';
import type { ExtractionContext } from '#domain/extract/extraction.js';
import { entityTypeOf, type PreciseFocus } from '#domain/identity/focus.js';
import { isRoleMailbox, findWorkDomain } from '#domain/identity/email.js';
import { ICP_SECTION } from '#domain/facts/sections.js';
import type { Instant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { FactsService } from '../facts/facts.service.js';
import { ProfileCache } from '../facts/facts.caches.js';
import { findOwner } from '../identity/find-owner.js';

/** Known data of the entity that a text is about. */
export interface SubjectContext {
  readonly type: 'person' | 'company';
  readonly name: string | null;
  /** The value of its claim `company`. */
  readonly company: JsonValue;
}

const READ_SUBJECT = prepare(
  `SELECT e.type, e.name, c.value AS company FROM entities e
   LEFT JOIN claims c ON c.workspace_id = $1 AND c.entity_id = e.id AND c.property = 'company'
   WHERE e.workspace_id = $1 AND e.id = $2`,
);

/** Reads the context of an entity by its canonical ID. */
export async function readSubjectContext(tx: Tx, entityId: string): Promise<SubjectContext | undefined> {
  const [row] = await tx.query<SubjectContext>(READ_SUBJECT, [tx.workspace, entityId]);
  return row;
}

/** Reads property and external ID of these observations. */
export function readObservationKeys(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; property: string; external_id: string | null }[]> {
  return tx.query('SELECT id, property, external_id FROM observations WHERE workspace_id = $1 AND id = ANY ($2)', [
    tx.workspace,
    ids,
  ]);
}

/** Sources whose texts the contact wrote. */
const CONTACT_AUTHORED_SOURCES = new Set(['email', 'linkedin', 'form', 'chat', 'sms', 'reply', 'inbox']);
const COMPETITORS = 'competitors';
const TECHNOLOGIES = 'technologies';

/** The entity that a text is about. */
export interface TextSubject {
  /** Canonical ID; undefined for an unknown entity. */
  readonly entityId: string | undefined;
  readonly context: ExtractionContext;
}

/** Loads the context that the extraction needs. Writes nothing; at most three statements. */
@Injectable()
export class TextSubjectService {
  constructor(
    private readonly facts: FactsService,
    private readonly profiles: ProfileCache,
  ) {}

  /** Finds the one person that a text names by address or profile. @throws HubError `invalid_focus` for none or several. */
  async findNamed(workspace: string, text: string): Promise<PreciseFocus> {
    const [person, ...others] = findNamedPeople(text, (await this.profiles.read(workspace)).ownDomains);
    if (person && others.length === 0) return person;
    const count = person ? `${others.length + 1} people` : 'nobody';
    throw HubError.invalidFocus(
      `The text names ${count} by e-mail address or LinkedIn URL; send focus, the person that the text is about.`,
    );
  }

  /**
   * Loads the subject of a text.
   * @throws HubError `entity_not_found` for an unknown UUID; `ambiguous_focus` for a phone number of several.
   */
  async load(tx: Tx, focus: PreciseFocus, source: string, observedAt: Instant | undefined): Promise<TextSubject> {
    const isId = focus.form === 'uuid';
    const [now, owner, facts] = await Promise.all([
      tx.now(),
      findOwner(tx, focus),
      this.facts.readSections(tx, [COMPETITORS, TECHNOLOGIES, ICP_SECTION]),
    ]);
    if (isId && !owner) throw HubError.entityNotFound();
    const known = owner && (await readSubjectContext(tx, owner.canonicalId));
    const content = (section: string) => facts.get(section)?.content;
    const context: ExtractionContext = {
      at: observedAt ?? now,
      subject: known?.type ?? (isId ? 'person' : entityTypeOf(focus)),
      names: collectNames(focus, known),
      companies: collectCompanies(focus, known),
      isAuthor: CONTACT_AUTHORED_SOURCES.has(source.trim().toLowerCase().split(':')[0]!),
      competitors: parseKnownNames(content(COMPETITORS)),
      technologies: [
        ...new Set([...parseKnownNames(content(TECHNOLOGIES)), ...listModelTechnologies(content(ICP_SECTION))]),
      ],
    };
    return { entityId: owner?.canonicalId, context };
  }
}

/** Returns the names of a subject. The mailbox name counts as one, unless it is a role mailbox such as info@. */
function collectNames(focus: PreciseFocus, known: SubjectContext | undefined): string[] {
  const mailboxNames = focus.form === 'email' && !isRoleMailbox(focus.local) ? [focus.local] : [];
  return [...(known?.name ? [known.name] : []), ...mailboxNames];
}

function collectCompanies(focus: PreciseFocus, known: SubjectContext | undefined): string[] {
  const claimed = typeof known?.company === 'string' ? [known.company] : [];
  const employer = focus.form === 'email' ? findWorkDomain(focus) : undefined;
  return employer === undefined ? claimed : [...claimed, employer];
}
