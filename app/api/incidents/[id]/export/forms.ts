import type { Bundle } from '@/lib/report/bundle';
import { incidentHtml } from '@/lib/report/html';
import { incidentMarkdown } from '@/lib/report/markdown';
import { maskHosts } from '@/lib/report/mask';

export type ExportForm = 'html' | 'json' | 'md';

const TYPES: Record<ExportForm, string> = { html: 'text/html; charset=utf-8', json: 'application/json', md: 'text/markdown; charset=utf-8' };

/** The bundle in a form; secrets and hosts are taken out of all of it at once, before it is written in any form. */
export function exportOf(bundle: Bundle, form: ExportForm, withoutSecrets: (bundle: Bundle) => Bundle): Response {
  const safe = withoutSecrets(bundle);
  const clean = safe.isMasked ? (JSON.parse(maskHosts(JSON.stringify(safe))) as Bundle) : safe;
  const body = form === 'json' ? `${JSON.stringify(clean, null, 1)}\n` : form === 'md' ? incidentMarkdown(clean) : incidentHtml(clean);
  const name = clean.incident.id.replace(/[^\w.-]+/g, '-').slice(0, 80);
  return new Response(body, {
    headers: {
      'content-type': TYPES[form],
      'content-disposition': `attachment; filename="wedgewatch-${name}.${form}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Should a browser show it instead: it is a document without rights.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  });
}
