import { Injectable } from '@nestjs/common';
import { namesIn, technologiesIn } from '#domain/extract/known-names.js';
import type { ReadingContext } from '#domain/extract/extraction.js';
import { peopleNamedIn } from '#domain/extract/named-in-text.js';
import { entityTypeOf, identifierOf, type PreciseFocus } from '#domain/identity/focus.js';
import { isRoleMailbox, workDomainOf } from '#domain/identity/mailboxes.js';
import { ICP } from '#domain/facts/sections.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { FactsService } from '../facts/facts.service.js';
import { OwnDomains } from '../facts/own-domains.js';
import { findOwners } from '../identity/identifiers.queries.js';
import { type KnownSubject, readSubject } from './subject.queries.js';

/** Sources whose texts are written by the contact. */
const THEIR_OWN = new Set(['email', 'linkedin', 'form', 'chat', 'sms', 'reply', 'inbox']);
const COMPETITORS = 'competitors';
const TECHNOLOGIES = 'technologies';

/** Whom a text is about. */
export interface Subject {
  /** Canonical; undefined for somebody new. */
  readonly entityId: string | undefined;
  readonly context: ReadingContext;
}

/** Gathers what rules must know before they read a text. Reads only, with three statements at most. */
@Injectable()
export class SubjectService {
  constructor(
    private readonly facts: FactsService,
    private readonly ownDomains: OwnDomains,
  ) {}

  /** The one person whom a text names by address or profile. @throws HubError `invalid_focus` for none and for several. */
  namedIn(workspace: string, text: string): PreciseFocus {
    const [person, ...others] = peopleNamedIn(text, this.ownDomains.of(workspace));
    if (person && others.length === 0) return person;
    const whom = person ? `${others.length + 1} people` : 'nobody';
    throw HubError.invalidFocus(
      `The text names ${whom} by e-mail address or LinkedIn URL; send as focus the one whom it is about.`,
    );
  }

  /** @throws HubError `entity_not_found` for a UUID that nobody has. */
  async of(tx: Tx, focus: PreciseFocus, source: string, observedAt: Instant | undefined): Promise<Subject> {
    const isId = focus.form === 'uuid';
    const [now, owners, facts] = await Promise.all([
      tx.now(),
      findOwners(tx, isId ? [] : [identifierOf(focus)], isId ? [focus.id] : []),
      this.facts.current(tx, [COMPETITORS, TECHNOLOGIES, ICP]),
    ]);
    const [owner] = owners.values();
    if (isId && !owner) throw HubError.entityNotFound();
    const known = owner && (await readSubject(tx, owner.canonicalId));
    const content = (section: string) => facts.get(section)?.content;
    const context: ReadingContext = {
      at: observedAt ?? now,
      subject: known?.type ?? (isId ? 'person' : entityTypeOf(focus)),
      names: namesOf(focus, known),
      companies: companiesOf(focus, known),
      isAuthor: THEIR_OWN.has(source.trim().toLowerCase().split(':')[0]!),
      competitors: namesIn(content(COMPETITORS)),
      technologies: [...new Set([...namesIn(content(TECHNOLOGIES)), ...technologiesIn(content(ICP))])],
    };
    return { entityId: owner?.canonicalId, context };
  }
}

/** A role mailbox such as info@ names nobody. */
function namesOf(focus: PreciseFocus, known: KnownSubject | undefined): string[] {
  const ofMailbox = focus.form === 'email' && !isRoleMailbox(focus.local) ? [focus.local] : [];
  return [...(known?.name ? [known.name] : []), ...ofMailbox];
}

function companiesOf(focus: PreciseFocus, known: KnownSubject | undefined): string[] {
  const claimed = typeof known?.company === 'string' ? [known.company] : [];
  const employer = focus.form === 'email' ? workDomainOf(focus) : undefined;
  return employer === undefined ? claimed : [...claimed, employer];
}
