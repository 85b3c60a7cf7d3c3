import { type NextRequest, NextResponse } from 'next/server';
import { foreignHost } from '@/app/api/guard';
import { runtime } from '@/lib/runtime';

/** Before any page or route: a foreign name reads nothing here, and an address that cannot be decoded is told so before the router stumbles over it. */
export function proxy(request: NextRequest): NextResponse | undefined {
  if (!isDecodable(new URL(request.url).pathname)) return refused(400, 'The address holds a "%" that is no escape; write "%25" for it.');
  const foreign = foreignHost(request.headers.get('host') ?? '', runtime().config());
  return foreign === undefined ? undefined : refused(403, foreign);
}

/** Built files tell nothing of the stack. */
export const config = { matcher: '/((?!_next/static/).*)' };

function refused(status: number, error: string): NextResponse {
  return NextResponse.json({ error }, { status, headers: { 'cache-control': 'no-store' } });
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
