/** Themes that a person can choose; `system` follows the system. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = 'rapport_theme';
const YEAR_SECONDS = 31_536_000;

/** Returns the theme of this browser. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Applies a theme and keeps it in a cookie, by which the hub sends the next page in it. */
export function chooseTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  const age = theme === 'system' ? 0 : YEAR_SECONDS;
  document.cookie = `${COOKIE}=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`;
}
