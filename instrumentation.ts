export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { runtime } = await import('@/lib/runtime');
    runtime();
  }
}
