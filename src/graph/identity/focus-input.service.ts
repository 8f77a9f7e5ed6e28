import { Injectable } from '@nestjs/common';
import { toFocusText } from '#domain/identity/focus-input.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { ProfileCache } from '../facts/facts.caches.js';

/** Converts the forms in which callers name an entity to the text that the rest of the hub reads. */
@Injectable()
export class FocusInputService {
  constructor(private readonly profiles: ProfileCache) {}

  /**
   * Returns the text of a focus that is an object (`{external: {system, id, type?}}` or `{phone}`) or a `tel:` link
   * without a country code; any other text is returned as it is.
   * @throws HubError `invalid_focus` with the reason.
   */
  async toText(workspace: string, given: string | object): Promise<string> {
    const { phoneCountry } = await this.profiles.read(workspace);
    const result = toFocusText(given, phoneCountry);
    if (result === undefined) return given as string;
    if ('reason' in result) throw HubError.invalidFocus(result.reason);
    return result.text;
  }
}
