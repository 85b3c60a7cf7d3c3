/** @type {import('next').NextConfig} */
export default {
  serverExternalPackages: ['libsql'],
  poweredByHeader: false,
  devIndicators: false,
  // `npm run types` checks them once, for the tests and the command line too; a build should not do it again.
  typescript: { ignoreBuildErrors: true },
};
