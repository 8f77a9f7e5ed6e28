import os from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of what the command line keeps: XDG_CONFIG_HOME or ~/.config, on Windows APPDATA; then `rapport`. */
export function configFolder(env: Environment): string {
  return path.join(baseFolder(env, 'XDG_CONFIG_HOME', 'APPDATA', '.config'), 'rapport');
}

/** The folder of what may be forgotten: XDG_STATE_HOME or ~/.local/state, on Windows LOCALAPPDATA; then `rapport`. */
export function stateFolder(env: Environment): string {
  return path.join(baseFolder(env, 'XDG_STATE_HOME', 'LOCALAPPDATA', '.local/state'), 'rapport');
}

function baseFolder(env: Environment, xdg: string, windows: string, unix: string): string {
  const given = env[xdg] ?? (process.platform === 'win32' ? env[windows] : undefined);
  // What is no absolute path is to be ignored, says XDG.
  if (given && path.isAbsolute(given)) return given;
  return path.join(env['HOME'] ?? os.homedir(), unix);
}
