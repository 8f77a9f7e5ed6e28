import { mergeSettings } from '#plugin-host/connections/connect.input.js';
import type { ConnectablePlugin } from '#plugin-host/connections/plugin.directory.js';
import { validateFields } from '#plugin-host/connections/connection-schema.js';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['api_key'],
  properties: {
    api_key: { type: 'string', secret: true },
    region: { type: 'string', default: 'eu' },
    proxy: { type: 'object', additionalProperties: false, properties: { host: { type: 'string' } } },
  },
};

it('fills in what has a default', () => {
  expect(validateFields('credentials', schema, { api_key: 'k' })).toEqual({
    ok: true,
    values: { api_key: 'k', region: 'eu' },
  });
});

it('tells each field that is not there once, with those that are, whether or not the schema closes itself', () => {
  const problem = {
    field: 'credentials.apikey',
    message: '"apikey" is not a field here; there are api_key, region, proxy.',
  };
  for (const additionalProperties of [false, true]) {
    const fitted = validateFields('credentials', { ...schema, additionalProperties }, { api_key: 'k', apikey: 'k' });
    expect(fitted).toEqual({ ok: false, problems: [problem] });
  }
});

it('tells of a field inside another, and of one that is missing', () => {
  expect(validateFields('settings', schema, { proxy: { port: 1 } })).toEqual({
    ok: false,
    problems: [
      { field: 'settings.api_key', message: 'settings.api_key is required.' },
      { field: 'settings.proxy.port', message: '"port" is not a field here.' },
    ],
  });
});

it('changes of settings keep the others, return to the default by null, and are validated as a whole', () => {
  const plugin = { id: 'acme', manifest: { settings: schema }, lifecycle: undefined } as unknown as ConnectablePlugin;
  const current = { api_key: 'k', region: 'us' };
  expect(mergeSettings(plugin, current, { settings: { proxy: { host: 'h' } } })).toEqual({
    ...current,
    proxy: { host: 'h' },
  });
  expect(mergeSettings(plugin, current, { settings: { region: null } })).toEqual({ api_key: 'k' });
  expect(mergeSettings(plugin, current, {})).toEqual(current);
  expect(() => mergeSettings(plugin, current, { settings: { api_key: null } })).toThrow(
    expect.objectContaining({ details: [{ field: 'settings.api_key', message: 'settings.api_key is required.' }] }),
  );
});
