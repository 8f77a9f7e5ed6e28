import { readClientLabel, extractKey } from '#kernel/auth/caller.guard.js';

describe('the key that a request presents', () => {
  it.each([
    ['Bearer', ['Authorization', 'Bearer one'], 'one'],
    ['a scheme in any case', ['authorization', 'bEaReR one'], 'one'],
    ['several spaces', ['Authorization', 'Bearer   one'], 'one'],
    ['X-API-Key', ['x-api-KEY', 'one'], 'one'],
    ['both, when they agree', ['X-API-Key', 'one', 'Authorization', 'Bearer one'], 'one'],
    ['X-API-Key beside what a proxy wants for itself', ['X-API-Key', 'one', 'Authorization', 'Basic dTpw'], 'one'],
    ['both, when they disagree', ['X-API-Key', 'two', 'Authorization', 'Bearer one'], undefined],
    ['Authorization twice', ['Authorization', 'Bearer one', 'authorization', 'Bearer one'], undefined],
    ['X-API-Key twice', ['X-API-Key', 'one', 'X-API-Key', 'two'], undefined],
    ['another scheme', ['Authorization', 'Basic one'], undefined],
    ['no scheme', ['Authorization', 'one'], undefined],
    ['two words', ['Authorization', 'Bearer one two'], undefined],
    ['nothing in it', ['Authorization', 'Bearer ', 'X-API-Key', ''], undefined],
    ['a value that looks like a name', ['X-Note', 'authorization', 'X-Other', 'Bearer one'], undefined],
    ['no header', [], undefined],
  ])('%s', (_, rawHeaders, key) => {
    expect(extractKey(rawHeaders)).toBe(key);
  });
});

describe('the label of the client', () => {
  it.each([
    [{ 'x-rapport-client': 'mcp' }, 'mcp'],
    [{ 'x-acme-client': 'sdk-python/1.2' }, 'sdk-python/1.2'],
    [{ 'x-acme-client': 'theirs', 'x-rapport-client': 'ours' }, 'ours'],
    [{}, 'api'],
    [{ 'x-rapport-client': 'x'.repeat(61) }, 'api'],
    [{ 'x-rapport-client': 'caf\u00e9' }, 'api'],
    [{ 'x-forwarded-client-cert': 'no' }, 'api'],
  ])('%j is %s', (headers, label) => {
    expect(readClientLabel(headers)).toBe(label);
  });
});
