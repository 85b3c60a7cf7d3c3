export async function watching(_: { seconds: number; dir: string }): Promise<void> {}
