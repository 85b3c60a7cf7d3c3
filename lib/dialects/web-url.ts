/** Origin with path, without credentials, query and trailing slash; undefined when the text is no http(s) URL. */
export function webUrl(text: string | undefined): string | undefined {
  if (text === undefined || !/^https?:\/\//i.test(text)) return undefined;
  try {
    const url = new URL(text);
    return url.hostname === '' ? undefined : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  } catch {
    return undefined;
  }
}

/** Host as it stands in a URL: IPv6 in brackets; a wildcard address is reached by loopback. */
export function urlOf(host: string | undefined, port: number): string {
  if (host === undefined || host === '' || host === '0.0.0.0' || host === '::' || host === '[::]') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}
