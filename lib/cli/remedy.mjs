const REMEDIES = [
  [/ENOSPC|no space left/i, 'The disk is full: free some space (about 1 GB is needed) and try again.'],
  [/EDQUOT|quota/i, 'The disk quota is used up: free some space (about 1 GB is needed) and try again.'],
  [
    /EACCES|EPERM|EROFS|permission denied|read-only file system/i,
    'There is no permission to write there: run it as the owner of this folder, or move the folder to a place that you may write to.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network|socket hang up|ENOTCACHED/i,
    'No npm registry could be reached: check the network and proxy, or name a reachable one with `npm config set registry URL`, and try again.',
  ],
  [
    /UNABLE_TO_(GET|VERIFY)|SELF_SIGNED|CERT_|certificate/i,
    'The npm registry shows a certificate that is not trusted here: name its CA with NODE_EXTRA_CA_CERTS=FILE and try again.',
  ],
  [/E40[13]|authentication/i, 'The npm registry refuses us: log in (`npm login`) or name another with `npm config set registry URL`.'],
  [/ENOMEM|heap out of memory|SIGKILL/i, 'There is too little memory: about 2 GB are needed to build.'],
  [/EUSAGE|can only install .* in sync|package-lock\.json/i, 'package.json and package-lock.json do not agree: run `npm install` once.'],
  [/spawn npm|npm: not found|could not start npm/i, 'npm was not found: it comes with Node, put it into PATH.'],
];

/** What to do about a failure, told from its own words; empty when they say nothing known. */
export function remedy(words) {
  return REMEDIES.find(([sign]) => sign.test(words))?.[1] ?? '';
}
