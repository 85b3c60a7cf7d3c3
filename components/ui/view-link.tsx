'use client';

import Link from 'next/link';
import type { ComponentProps } from 'react';
import { useView } from '@/lib/client/url-state';
import { linkTo, type View } from '@/lib/client/view';

/** A link that keeps the moment, the range and the theme. Never prefetched: a screen full of probes would ask the server for all of them. */
export function ViewLink({ path, change, ...rest }: { path: string; change?: View } & Omit<ComponentProps<typeof Link>, 'href' | 'prefetch'>) {
  const [view] = useView();
  return <Link href={linkTo(path, view, change)} prefetch={false} {...rest} />;
}
