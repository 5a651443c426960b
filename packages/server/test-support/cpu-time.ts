/** What a piece of work costs, in milliseconds of CPU time: the same on a busy machine as on an idle one, about. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return sinceMs(before)
}

/** The same, for work that waits; what else the process does meanwhile is part of it. */
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
