import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the configuration folder: `rapport` in XDG_CONFIG_HOME or ~/.config, or in APPDATA on Windows. */
export function configFolder(env: Environment): string {
  return path.join(baseFolder(env, 'XDG_CONFIG_HOME', 'APPDATA', '.config'), 'rapport');
}

/** Returns the folder for state: `rapport` in XDG_STATE_HOME or ~/.local/state, or in LOCALAPPDATA on Windows. */
export function stateFolder(env: Environment): string {
  return path.join(baseFolder(env, 'XDG_STATE_HOME', 'LOCALAPPDATA', '.local/state'), 'rapport');
}

function baseFolder(env: Environment, xdg: string, windows: string, unix: string): string {
  const given = env[xdg] ?? (process.platform === 'win32' ? env[windows] : undefined);
  // The XDG specification says to ignore relative paths.
  if (given && path.isAbsolute(given)) return given;
  return path.join(env['HOME'] ?? os.homedir(), unix);
}
