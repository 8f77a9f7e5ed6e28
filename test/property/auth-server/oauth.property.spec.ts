import fc from 'fast-check';
import { v7 } from 'uuid';
import { sanitizeName, isRegisteredRedirectUri, findRedirectUriProblem } from '#auth-server/clients/oauth-client.js';
import { generateGrantCode, parseGrantCode, generateUserCode, parseUserCode } from '#auth-server/grants/grant-code.js';
import { html } from '#kernel/http/page.js';
import { buildRedirectUrl } from '#auth-server/oauth/oauth.urls.js';
import { parseRequestedScopes } from '#auth-server/oauth/scopes.js';

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
          const code = generateUserCode();
          const typed = gaps.map((gap, i) => gap + ([...code.replace('-', '')][i] ?? '')).join('');
          expect(parseUserCode(small ? typed.toLowerCase() : typed)).toBe(code);
        },
      ),
    );
  });

  it('is read from nothing else', () => {
    fc.assert(
      fc.property(text, typed =>
        expect(parseUserCode(typed) ?? 'BCDF-GHJK').toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      ),
    );
  });
});

describe('where answers may go', () => {
  it('is where was registered, whatever the port of the same machine', () => {
    fc.assert(
      fc.property(loopback, fc.nat(65_535), fc.nat(65_535), path, (host, one, other, way) => {
        const [registered, page] = [one, other].map(port => `http://${host}:${port}${way}`);
        expect(isRegisteredRedirectUri(page!, [registered!])).toBe(true);
      }),
    );
  });

  it('is nowhere else: with any other letter it is another address', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.webUrl(), fc.string({ minLength: 1, maxLength: 5 }), (one, other, more) => {
        expect(isRegisteredRedirectUri(other, [one])).toBe(one === other && findRedirectUriProblem(one) === undefined);
        expect(isRegisteredRedirectUri(one + more, [one])).toBe(false);
      }),
    );
  });

  it('keeps what stood in the address and adds the answer, letter by letter', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true }),
        text.map(each => each.toWellFormed()),
        (uri, state) => {
          const led = new URL(buildRedirectUrl({ uri, state }, { code: 'c' }, 'https://hub.test'));
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
      const code = generateGrantCode(place);
      expect(parseGrantCode(code)).toEqual(place);
      expect(parseGrantCode(garbage)).toBeUndefined();
      expect(parseGrantCode(`${code}=`)).toBeUndefined();
      expect(parseGrantCode(code.slice(1))).toBeUndefined();
    }),
  );
});

it('what others say of themselves stays text in a page, and one line', () => {
  fc.assert(
    fc.property(text, message => {
      const shown = html`<b title="${message}">${sanitizeName(message, 'nobody')}</b>`.text;
      expect(shown.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
      expect(shown.match(/"/g)).toHaveLength(2);
      expect(sanitizeName(message, 'nobody')).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u);
    }),
  );
});

it('scopes are those that are offered, each once and in one order, for any request', () => {
  const word = fc.oneof(fc.constantFrom('read', 'write', 'admin', 'internal', 'openid'), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(word), words => {
      const response = words.join(' ');
      const offered = ['read', 'write', 'admin'].filter(scope => response.split(' ').includes(scope));
      if (response.replaceAll(' ', '') === '') expect(parseRequestedScopes(response)).toEqual(['read', 'write']);
      else if (offered.length === 0) expect(() => parseRequestedScopes(response)).toThrow('supported');
      else expect(parseRequestedScopes(response)).toEqual(offered);
    }),
  );
});
