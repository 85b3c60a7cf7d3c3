/**
 * The same text with every host in it replaced by "host-1", "host-2"..., the same one each time; ports stay, since they tell targets apart.
 * A host of one plain word ("decode", as container networks have them) is replaced only where it stands as an address: the word is ours too.
 */
export function maskHosts(json: string): string {
  const hosts = [...new Set(hostsIn(json))].sort((a, b) => b.length - a.length);
  const inOrder = [...hosts].sort((a, b) => json.indexOf(a) - json.indexOf(b));
  const maskOf = new Map(inOrder.map((host, index) => [host, `host-${index + 1}`]));
  return hosts.reduce((text, host) => {
    const mask = maskOf.get(host) ?? '';
    const masked = text.replace(patternOf(host), mask);
    const slug = host.replace(/[^a-z0-9]+/gi, '-');
    return slug !== host && slug.includes('-') ? masked.replace(new RegExp(`(?<![a-z0-9])${slug}(?![a-z0-9])`, 'gi'), mask) : masked;
  }, json);
}

const URL_HOST = /\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/"'\\@]*@)?(\[[0-9a-f:.]+\]|[^\s/:"'\\?#<>)\]},;|]+)/gi;
const IP4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)/g;
/** Flags of a command line that name a host. */
const FLAG_HOST = /--[a-z-]*(?:host|addr|address|ip|urls?)[= ]+([a-z0-9][a-z0-9.-]*[a-z0-9])/gi;

function hostsIn(json: string): string[] {
  const found = [...json.matchAll(URL_HOST), ...json.matchAll(FLAG_HOST)].map((match) => match[1] ?? '');
  return [...found, ...(json.match(IP4) ?? [])].filter((host) => host !== '' && !/^(host-\d+|https?)$/.test(host));
}

function patternOf(host: string): RegExp {
  if (!/^[a-z]+$/i.test(host)) return whole(host);
  return new RegExp(`(?<=://|@|--[a-z-]*(?:host|addr|address|ip)[= ])${host}(?![\\w.-])|(?<![\\w.-])${host}(?=:\\d)`, 'gi');
}

function whole(host: string): RegExp {
  return new RegExp(`(?<![\\w.-])${host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-]|\\.\\w)`, 'gi');
}
