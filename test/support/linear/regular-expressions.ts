// Finds the regular expressions of a source tree with the TypeScript parser, without running the sources.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A regular expression, and where it is written. */
export interface FoundExpression {
  /** `src/domain/x.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** What is in the sources: the expressions, and the places whose expression depends on values of the run time. */
export interface FoundExpressions {
  readonly expressions: readonly FoundExpression[];
  readonly dynamic: readonly string[];
}

/** Thrown for an expression that is not made of constants. */
class NotConstantError extends Error {}

const files = new Map<string, ts.SourceFile>();

function parse(path: string): ts.SourceFile {
  const known = files.get(path);
  if (known) return known;
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  files.set(path, file);
  return file;
}

/**
 * Returns each regular-expression literal, each `new RegExp(...)` of constant parts and each JSON schema `pattern` in the
 * sources of the hub, the SDK, the command line and the plugins.
 */
export function findRegularExpressions(patterns = ['src/**/*.{ts,mjs}', 'plugins/**/*.{ts,mjs}']): FoundExpressions {
  const paths = globSync(patterns, { cwd: ROOT, exclude: path => /(?:^|\/)(?:node_modules|dist|test)$/.test(path) });
  const found = paths.toSorted().map(path => expressionsIn(parse(resolve(ROOT, path))));
  return {
    expressions: found.flatMap(({ expressions }) => expressions),
    dynamic: found.flatMap(({ dynamic }) => dynamic),
  };
}

function expressionsIn(file: ts.SourceFile): FoundExpressions {
  const expressions: FoundExpression[] = [];
  const dynamic: string[] = [];
  const visit = (node: ts.Node) => {
    if (isExpression(node)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const place = `${relative(ROOT, file.fileName)}:${line}`;
      try {
        expressions.push({ place, ...evaluateExpression(node) });
      } catch (error) {
        if (!(error instanceof NotConstantError)) throw error;
        dynamic.push(place);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { expressions, dynamic };
}

function isExpression(node: ts.Node): node is ts.Expression | ts.PropertyAssignment {
  return ts.isRegularExpressionLiteral(node) || isConstructed(node) || isSchemaPattern(node);
}

function isConstructed(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'RegExp'
  );
}

/** `pattern: '^…'` of a JSON schema: a validator makes an expression of it. */
function isSchemaPattern(node: ts.Node): node is ts.PropertyAssignment {
  return (
    ts.isPropertyAssignment(node) &&
    ts.isIdentifier(node.name) &&
    node.name.text === 'pattern' &&
    (ts.isStringLiteralLike(node.initializer) || ts.isTaggedTemplateExpression(node.initializer))
  );
}

function evaluateExpression(node: ts.Expression | ts.PropertyAssignment): { source: string; flags: string } {
  if (ts.isPropertyAssignment(node)) return { source: evaluateText(node.initializer), flags: 'u' };
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const [source, flags] = (node as ts.NewExpression).arguments ?? [];
  if (!source) throw new NotConstantError();
  return { source: evaluateText(source), flags: flags ? evaluateText(flags) : '' };
}

function evaluateText(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return evaluateText(node.expression);
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, span) => text + evaluateText(span.expression) + span.literal.text,
      node.head.text,
    );
  }
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') return evaluateRaw(node.template);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return evaluateText(node.left) + evaluateText(node.right);
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return evaluateSource(node.expression);
  if (ts.isCallExpression(node)) return evaluateJoin(node);
  if (ts.isIdentifier(node)) return evaluateText(declarationOf(node));
  throw new NotConstantError();
}

function evaluateRaw(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText ?? template.text;
  return template.templateSpans.reduce(
    (text, span) => text + evaluateText(span.expression) + (span.literal.rawText ?? span.literal.text),
    template.head.rawText ?? template.head.text,
  );
}

function evaluateSource(node: ts.Expression): string {
  const value = ts.isIdentifier(node) ? declarationOf(node) : node;
  if (!ts.isRegularExpressionLiteral(value) && !isConstructed(value)) throw new NotConstantError();
  return evaluateExpression(value).source;
}

/** `['a', 'b'].join('|')`. */
function evaluateJoin(node: ts.CallExpression): string {
  const { expression, arguments: given } = node;
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'join') throw new NotConstantError();
  const list = ts.isIdentifier(expression.expression) ? declarationOf(expression.expression) : expression.expression;
  const items = ts.isAsExpression(list) ? list.expression : list;
  if (!ts.isArrayLiteralExpression(items)) throw new NotConstantError();
  return items.elements.map(evaluateText).join(given[0] ? evaluateText(given[0]) : ',');
}

/** The initializer of a constant of the same file or of one that it imports. */
function declarationOf(name: ts.Identifier): ts.Expression {
  const file = name.getSourceFile();
  const own = constantIn(file, name.text);
  if (own) return own;
  for (const statement of file.statements) {
    const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    const imported = bindings.elements.find(element => element.name.text === name.text);
    const path = imported && pathOf((statement.moduleSpecifier as ts.StringLiteral).text, file.fileName);
    const there = path && constantIn(parse(path), (imported.propertyName ?? imported.name).text);
    if (there) return there;
  }
  throw new NotConstantError();
}

function constantIn(file: ts.SourceFile, name: string): ts.Expression | undefined {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(declaration => ts.isIdentifier(declaration.name) && declaration.name.text === name)?.initializer;
}

function pathOf(specifier: string, from: string): string | undefined {
  const path = specifier.startsWith('#')
    ? resolve(ROOT, 'src', specifier.slice(1))
    : specifier.startsWith('.')
      ? resolve(dirname(from), specifier)
      : undefined;
  const source = path?.replace(/\.js$/, '.ts');
  return source && existsSync(source) ? source : undefined;
}
