export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startOrSay } = await import('@/lib/runtime');
    startOrSay();
  }
}
