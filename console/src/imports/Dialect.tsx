import { importWords } from '../words/imports.ts';
import type { FileImport } from './types.ts';

/** What was seen in the file, and what its rows would do. */
export function Dialect({
  dialect,
  foreseen: { rows, rejected, rejections, repeated, known, conflicts },
}: {
  /** Null for a workbook. */
  dialect: FileImport['dialect'];
  foreseen: NonNullable<FileImport['foreseen']>;
}) {
  const facts = [
    ...(dialect
      ? [
          [importWords.encoding, `${dialect.encoding}. ${dialect.encoding_reason}`],
          [importWords.delimiter, dialect.delimiter === '\t' ? importWords.tab : dialect.delimiter],
        ]
      : []),
    ...(dialect && dialect.header_line !== null ? [[importWords.header, importWords.line(dialect.header_line)]] : []),
    [importWords.rows, importWords.foreseen({ rows, rejected, repeated, known, conflicts })],
  ];
  return (
    <section className="space-y-2">
      <h2 className="font-semibold">{importWords.seen}</h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {dialect && dialect.doubtful_line !== null && (
        <p className="text-against">{importWords.doubtful(dialect.doubtful_line, dialect.doubtful_text ?? '')}</p>
      )}
      {dialect && dialect.preamble.length > 0 && (
        <p className="text-quiet">{importWords.preamble(dialect.preamble.length)}</p>
      )}
      {rejections.length > 0 && (
        <details>
          <summary className="inline-flex min-h-6 cursor-pointer items-center text-against">
            {importWords.rejections(rejected)}
          </summary>
          <ul className="list-disc pl-5">
            {rejections.map(({ line, error }) => (
              <li key={line}>
                {importWords.line(line)}: {error}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
