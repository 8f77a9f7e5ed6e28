/** Trusted HTML, which is not escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlValue = string | number | Html | undefined | false | readonly (string | Html)[];

/** Renders a template. Values are escaped unless they are {@link Html}; undefined and false render nothing. */
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
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}
