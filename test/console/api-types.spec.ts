import { readFileSync } from 'node:fs';
import { COMMENT_HEADER, astToString, default as openApiTypes } from 'openapi-typescript';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

it('the types of the API in the console are those of its document', async () => {
  // The flags of `npm run console:types`, which writes the file.
  expect(scripts['console:types']).toContain('--default-non-nullable=false --empty-objects-unknown');
  const options = { defaultNonNullable: false, emptyObjectsUnknown: true };
  const document = new URL('../contract/openapi.json', import.meta.url);
  const text = COMMENT_HEADER + astToString(await openApiTypes(document, options));
  expect(readFileSync('console/src/api/schema.d.ts', 'utf8')).toBe(text);
});
