import { PermanentError } from '#sdk/errors.js';
import { HttpRules } from '#sdk/http-rules.js';
import type { HttpManifest } from '#sdk/index.js';

const values = {
  settings: { api_url: 'https://eu.acme.io/v1/', empty: '' },
  credentials: { tenant: 'https://t1.acme.io' },
};
const resolve = (url: string, http?: HttpManifest) =>
  new HttpRules({ id: 'acme', ...(http && { http }) }, values).resolve(url);

describe('the addresses of a plugin', () => {
  it.each<[string, HttpManifest, string]>([
    ['/calls?x=1', { baseUrl: 'settings.api_url' }, 'https://eu.acme.io/v1/calls?x=1'],
    ['/calls', { baseUrl: 'https://api.acme.io' }, 'https://api.acme.io/calls'],
    ['/calls', { baseUrl: 'credentials.tenant' }, 'https://t1.acme.io/calls'],
    ['https://EU.acme.io:443/other', { baseUrl: 'settings.api_url' }, 'https://EU.acme.io:443/other'],
    ['https://a.b.cdn.acme.io/x', { hosts: ['*.cdn.acme.io'] }, 'https://a.b.cdn.acme.io/x'],
    ['https://up.acme.io:8443/x', { hosts: ['up.acme.io:8443'] }, 'https://up.acme.io:8443/x'],
  ])('let %s pass with %j', (url, http, resolved) => {
    expect(resolve(url, http)).toBe(resolved);
  });

  it.each<[string, HttpManifest]>([
    ['https://evil.example/x', { baseUrl: 'settings.api_url' }],
    ['https://cdn.acme.io/x', { hosts: ['*.cdn.acme.io'] }],
    ['https://evilcdn.acme.io/x', { hosts: ['*.cdn.acme.io'] }],
    ['https://up.acme.io:8443/x', { hosts: ['up.acme.io'] }],
    ['https://eu.acme.io@evil.example/x', { baseUrl: 'settings.api_url' }],
    ['https://any.example/x', { hosts: ['settings.empty'] }],
  ])('refuse %s with %j, and name the fix', (url, http) => {
    expect(() => resolve(url, http)).toThrow(PermanentError);
    expect(() => resolve(url, http)).toThrow('add it to "http.hosts"');
  });

  it('are any without "http", and need a base address for a path', () => {
    expect(resolve('https://any.example/x')).toBe('https://any.example/x');
    expect(() => resolve('/calls', { hosts: ['acme.io'] })).toThrow('has no "http.baseUrl"');
    expect(() => resolve('/calls', { baseUrl: 'settings.missing' })).toThrow('has no "http.baseUrl"');
  });
});
