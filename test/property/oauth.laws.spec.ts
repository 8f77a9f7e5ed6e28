import fc from 'fast-check';
import { v7 } from 'uuid';
import { showableName } from '#kernel/oauth/clients/oauth-client.js';
import { isRegistered, redirectProblem } from '#kernel/oauth/clients/redirect-uris.js';
import { newCode, placeIn } from '#kernel/oauth/grants/secret-text.js';
import { newUserCode, readUserCode } from '#kernel/oauth/grants/user-code.js';
import { html } from '#kernel/oauth/pages/html.js';
import { redirectTo } from '#kernel/oauth/redirect.js';
import { scopesIn } from '#kernel/oauth/offered-scopes.js';

const text = fc.string({ unit: 'binary', maxLength: 60 });
const loopback = fc.constantFrom('127.0.0.1', '[::1]', 'localhost');
const path = fc.webPath({ size: 'small' });

describe('a code that people type', () => {
  it('is read back from whatever case, spaces and dashes it is typed with', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('', ' ', '-', ' - '), { minLength: 9, maxLength: 9 }),
        fc.boolean(),
        (gaps, small) => {
          const code = newUserCode();
          const typed = gaps.map((gap, i) => gap + ([...code.replace('-', '')][i] ?? '')).join('');
          expect(readUserCode(small ? typed.toLowerCase() : typed)).toBe(code);
        },
      ),
    );
  });

  it('is read from nothing else', () => {
    fc.assert(
      fc.property(text, typed =>
        expect(readUserCode(typed) ?? 'BCDF-GHJK').toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      ),
    );
  });
});

describe('where answers may go', () => {
  it('is where was registered, whatever the port of the same machine', () => {
    fc.assert(
      fc.property(loopback, fc.nat(65_535), fc.nat(65_535), path, (host, one, other, way) => {
        const [registered, asked] = [one, other].map(port => `http://${host}:${port}${way}`);
        expect(isRegistered(asked!, [registered!])).toBe(true);
      }),
    );
  });

  it('is nowhere else: with any other letter it is another address', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.webUrl(), fc.string({ minLength: 1, maxLength: 5 }), (one, other, more) => {
        expect(isRegistered(other, [one])).toBe(one === other && redirectProblem(one) === undefined);
        expect(isRegistered(one + more, [one])).toBe(false);
      }),
    );
  });

  it('keeps what stood in the address and adds the answer, letter by letter', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        text.map(each => each.toWellFormed()),
        (uri, state) => {
          const led = new URL(redirectTo({ uri, state }, { code: 'c' }, 'https://hub.test'));
          expect(led.href.startsWith(new URL(uri).href.replace(/\?$/, ''))).toBe(true);
          expect(['code', 'state', 'iss'].map(name => led.searchParams.getAll(name).at(-1))).toEqual([
            'c',
            state,
            'https://hub.test',
          ]);
        },
      ),
    );
  });
});

it('a code names the place of its grant, and no other text does', () => {
  fc.assert(
    fc.property(text, garbage => {
      const place = { workspaceId: v7(), grantId: v7() };
      const code = newCode(place);
      expect(placeIn(code)).toEqual(place);
      expect(placeIn(garbage)).toBeUndefined();
      expect(placeIn(`${code}=`)).toBeUndefined();
      expect(placeIn(code.slice(1))).toBeUndefined();
    }),
  );
});

it('what others say of themselves stays text in a page, and one line', () => {
  fc.assert(
    fc.property(text, said => {
      const shown = html`<b title="${said}">${showableName(said, 'nobody')}</b>`.text;
      expect(shown.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
      expect(shown.match(/"/g)).toHaveLength(2);
      expect(showableName(said, 'nobody')).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u);
    }),
  );
});

it('scopes are those that are offered, each once and in one order, whatever is asked', () => {
  const word = fc.oneof(fc.constantFrom('read', 'write', 'admin', 'internal', 'openid'), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(word), words => {
      const asked = words.join(' ');
      const offered = ['read', 'write', 'admin'].filter(scope => asked.split(' ').includes(scope));
      if (asked.replaceAll(' ', '') === '') expect(scopesIn(asked)).toEqual(['read', 'write']);
      else if (offered.length === 0) expect(() => scopesIn(asked)).toThrow('offered');
      else expect(scopesIn(asked)).toEqual(offered);
    }),
  );
});
