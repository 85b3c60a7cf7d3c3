/** @type {import('next').NextConfig} */
export default {
  serverExternalPackages: ['libsql'],
  poweredByHeader: false,
  devIndicators: false,
  // Framed by a foreign page, ours could be clicked unawares: "pause probing" is one click.
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'content-security-policy', value: "frame-ancestors 'self'" },
        { key: 'x-content-type-options', value: 'nosniff' },
        { key: 'referrer-policy', value: 'same-origin' },
      ],
    },
  ],
  // `npm run types` checks them once, for the tests and the command line too; a build should not do it again.
  typescript: { ignoreBuildErrors: true },
};
