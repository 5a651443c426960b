/** The cost of a piece of work, in milliseconds of CPU time, which hardly depends on how busy the machine is. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return sinceMs(before)
}

/** The same for asynchronous work; it includes whatever else the process does in the meantime. */
export async function cpuMsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly cpuMs: number }> {
  const before = process.cpuUsage()
  const value = await work()
  return { value, cpuMs: sinceMs(before) }
}

function sinceMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
