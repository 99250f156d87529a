import type { UserStatus } from '@causeway/contract'

const LABELS: Record<string, string> = { all: 'Server', api: 'API', jobs: 'Jobs' }
const MIB = 1024 * 1024

interface LivingProcess {
  role: string
  memoryBytes: number
  cpuPercent: number
}

/** Processes in the form of the wire: numbered within their role, memory in MiB, processor in percent without a sign. */
export function toProcessList(processes: LivingProcess[]): { name: string; memory: string; cpu: string }[] {
  const numbers = new Map<string, number>()
  return processes.map(({ role, memoryBytes, cpuPercent }) => {
    const number = numbers.get(role) ?? 0
    numbers.set(role, number + 1)
    return {
      name: `${LABELS[role] ?? role}-${number}`,
      memory: `${(memoryBytes / MIB).toFixed(2)} MiB`,
      cpu: cpuPercent.toFixed(1),
    }
  })
}

/** Counts of users, with their total. */
export function toUserCounts<Online>(statusCounts: Record<UserStatus, number>, onlineStats: Online) {
  const { ACTIVE, DISABLED, LIMITED, EXPIRED } = statusCounts
  return { users: { statusCounts, totalUsers: ACTIVE + DISABLED + LIMITED + EXPIRED }, onlineStats }
}
