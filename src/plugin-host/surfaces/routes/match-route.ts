import type { RouteManifest } from '#sdk/manifest.parts.js';

/** The declared route that matches a request. */
export interface MatchedRoute {
  readonly name: string;
  readonly route: RouteManifest;
  /** Values of its `:parameters`. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route for a method and the decoded segments of a path. If several routes match, the one with literal
 * segments further to the left wins: `calls/latest` before `calls/:id`.
 */
export function matchRoute(
  routes: Readonly<Record<string, RouteManifest>>,
  method: string,
  segments: readonly string[],
): MatchedRoute | undefined {
  const matches = Object.entries(routes).flatMap(([name, route]) => {
    const pattern = route.path.split('/');
    const params = route.method === method ? matchParams(pattern, segments) : undefined;
    return params
      ? [{ name, route, params, rank: pattern.map(part => (part.startsWith(':') ? '1' : '0')).join('') }]
      : [];
  });
  return matches.toSorted((a, b) => (a.rank < b.rank ? -1 : 1))[0];
}

function matchParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
