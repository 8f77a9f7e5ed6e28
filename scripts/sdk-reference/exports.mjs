// Reads the exports of one file of the SDK: name, doc comment, example, and the code without bodies.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const sdk = fileURLToPath(new URL('../../src/sdk/', import.meta.url));
const HIDDEN = new Set([ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.OverrideKeyword]);
const published = new Set(['index.ts', 'testing/index.ts'].flatMap(namesIn));

/** What a file exports to partners, in its order. Exports that an index does not pass on are left out. */
export function exportsOf(file) {
  const source = read(file);
  const found = source.statements.filter(isExported).flatMap(statement => {
    const name = nameOf(statement);
    return name ? [describe(source, statement, name)] : [];
  });
  // An index passes on whole files of the SDK, but only single names of the harness.
  return file.startsWith('testing/') ? found.filter(({ name }) => published.has(name)) : found;
}

function read(file) {
  return ts.createSourceFile(file, readFileSync(sdk + file, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** Names in `export { … }` clauses. */
function namesIn(file) {
  return read(file)
    .statements.filter(statement => ts.isExportDeclaration(statement) && statement.exportClause)
    .flatMap(({ exportClause }) => exportClause.elements.map(({ name }) => name.text));
}

function isExported(statement) {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function nameOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0].name.text;
  return statement.name?.text;
}

function describe(source, statement, name) {
  const doc = ts.getJSDocCommentsAndTags(statement).findLast(ts.isJSDoc);
  const tags = doc?.tags ?? [];
  const said = tags.filter(tag => tag.tagName.text !== 'example').map(sentenceOf);
  const example = tags.find(tag => tag.tagName.text === 'example');
  const text = [textOf(doc?.comment), ...said].filter(Boolean).join('\n\n');
  return { name, text, example: example && unfenced(textOf(example.comment)), code: codeOf(source, statement) };
}

function sentenceOf(tag) {
  const name = tag.name ? `\`${tag.name.getText()}\`: ` : '';
  const words = { param: 'Takes ', returns: 'Gives ', throws: 'Throws ' };
  const type = tag.typeExpression ? `${tag.typeExpression.getText()} ` : '';
  return `${words[tag.tagName.text] ?? ''}${name}${type}${textOf(tag.comment)}`;
}

function textOf(comment) {
  const text = ts.getTextOfJSDocComment(comment) ?? '';
  return text.replaceAll(/\{@link (\w+)\}/g, '`$1`').trim();
}

function unfenced(text) {
  return text.replace(/^```ts\n/, '').replace(/\n```$/, '');
}

/** Bodies, decorators and what is private say nothing to a reader. */
function codeOf(source, statement) {
  if (ts.isFunctionDeclaration(statement))
    return source.text.slice(statement.getStart(), statement.body.getStart()).trim() + ';';
  if (ts.isVariableStatement(statement)) return shortened(statement.getText());
  if (ts.isClassDeclaration(statement)) return classOf(source, statement);
  return statement.getText();
}

function classOf(source, statement) {
  const head = source.text.slice(statement.getStart(), statement.members.pos).trim();
  const members = statement.members.filter(isPublic).map(member => {
    const doc = ts.getJSDocCommentsAndTags(member).findLast(ts.isJSDoc);
    const end = member.body?.getStart() ?? member.initializer?.getFullStart() ?? member.end;
    const code = source.text
      .slice(member.getStart(), end)
      .replace(/\s*=?\s*$/, '')
      .replace(/;$/, '');
    return `  ${doc ? `${doc.getText()}\n  ` : ''}${code};`;
  });
  return `${head}\n${members.join('\n')}\n}`;
}

function isPublic(member) {
  if (member.name && ts.isComputedPropertyName(member.name)) return false;
  return !member.modifiers?.some(({ kind }) => HIDDEN.has(kind));
}

function shortened(code) {
  const lines = code.split('\n');
  return lines.length > 16 ? [...lines.slice(0, 6), '  …', lines.at(-1)].join('\n') : code;
}
