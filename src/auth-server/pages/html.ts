/** HTML that may stand in a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlValue = string | number | Html | undefined | false | readonly (string | Html)[];

/** A template whose values are escaped unless they are {@link Html} themselves; what is absent leaves nothing. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(texts.map((text, i) => text + renderValue(values[i])).join(''));
}

function renderValue(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(renderValue).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => ENTITIES[sign]!);
}
