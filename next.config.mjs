/** @type {import('next').NextConfig} */
export default {
  serverExternalPackages: ['libsql'],
  poweredByHeader: false,
  devIndicators: false,
};
