import Link from 'next/link';

export default function NotFound() {
  return (
    <main className="m-6 border-l-8 border-hairline p-4">
      <h1 className="text-xl font-semibold">There is no such page</h1>
      <p className="py-2 text-soft">The link may be cut short or from a newer version.</p>
      <Link href="/" prefetch={false} className="link">
        To the overview
      </Link>
    </main>
  );
}
