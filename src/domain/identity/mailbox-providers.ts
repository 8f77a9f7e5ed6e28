// Hosts at which the provider delivers "name+anything" to "name". Country domains are listed one by one: another
// company may own the same word under another suffix, and merging two mailboxes is worse than missing a pair.
const TAG_HOSTS = new Set([
  ...expandHosts('gmail', 'com'),
  ...expandHosts('outlook', 'com at be cl com.ar com.au com.br com.gr com.tr com.vn co.id co.il co.th cz de'),
  ...expandHosts('outlook', 'dk es fr hu ie in it jp kr lv my ph pt sa sg sk'),
  ...expandHosts('hotmail', 'com at be ca ch cl co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar'),
  ...expandHosts('hotmail', 'com.au com.br com.hk com.tr com.tw com.vn cz de dk es fi fr gr hu it lt lv my nl'),
  ...expandHosts('hotmail', 'no ph rs se sg sk'),
  ...expandHosts('live', 'com at be ca cl cn co.in co.kr co.uk co.za com.ar com.au com.mx com.my com.ph'),
  ...expandHosts('live', 'com.pt com.sg de dk fi fr hk ie in it jp nl no ru se'),
  ...expandHosts('icloud', 'com'),
  ...expandHosts('me', 'com'),
  ...expandHosts('fastmail', 'com fm'),
  ...expandHosts('proton', 'me'),
  ...expandHosts('protonmail', 'com ch'),
  ...expandHosts('pm', 'me'),
  ...expandHosts('yandex', 'com ru by kz ua com.tr'),
  ...expandHosts('ya', 'ru'),
]);

function expandHosts(name: string, endings: string): string[] {
  return endings.split(' ').map(ending => `${name}.${ending}`);
}

/**
 * Returns the key of a mailbox: spellings that the provider delivers to one mailbox share a key. `local` and `host` are
 * lower case. Gmail also ignores dots and accepts googlemail.com; elsewhere a dot or a tag may be another person.
 */
export function mailboxKey(local: string, host: string): string {
  const home = host === 'googlemail.com' ? 'gmail.com' : host;
  if (!TAG_HOSTS.has(home)) return `${local}@${home}`;
  const untagged = stripTag(local) || local;
  return `${home === 'gmail.com' ? untagged.replaceAll('.', '') : untagged}@${home}`;
}

/** Returns the local part of an address up to its first `+`. */
export function stripTag(local: string): string {
  return local.split('+', 1)[0] ?? local;
}
