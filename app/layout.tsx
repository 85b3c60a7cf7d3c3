import type { Metadata, Viewport } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { LiveProvider } from '@/components/live-provider';
import './globals.css';

export const metadata: Metadata = { title: 'Wedgewatch', description: 'Which front-end is healthy but hanging, and where its requests stop.' };
export const viewport: Viewport = { colorScheme: 'light dark', width: 'device-width', initialScale: 1 };

export default async function Layout({ children }: { children: ReactNode }) {
  await connection();
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* Sets the theme of the URL before the first paint. No quotes or angle brackets: React escapes them, scripts do not unescape. */}
        <script>{THEME}</script>
      </head>
      <body>
        <LiveProvider>{children}</LiveProvider>
      </body>
    </html>
  );
}

const THEME = 'document.documentElement.dataset.theme=new URLSearchParams(location.search).get(`theme`)||``';
