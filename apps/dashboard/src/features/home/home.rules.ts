import type { Reply, getHealth } from '@causeway/contract'
import { numberFormat } from '../../lib/numbers/formats.ts'

type Process = Reply<typeof getHealth>['pm2Stats'][number]

/** Under 30 green, under 70 yellow, from there red. */
export function cpuColor(percent: number): 'green' | 'yellow' | 'red' {
  if (percent < 30) return 'green'
  return percent < 70 ? 'yellow' : 'red'
}

const MIB_PER_UNIT: Record<string, number> = { B: 1 / 1024 ** 2, KiB: 1 / 1024, MiB: 1, GiB: 1024, TiB: 1024 ** 2 }

/** The sum of the processes' memory in MiB. The text normally is in MiB, but a small or large process has another unit. */
export function totalMemoryMib(processes: readonly Process[]): number {
  return processes.reduce((sum, { memory }) => {
    const [amount, unit = 'MiB'] = memory.split(' ')
    return sum + Number(amount) * (MIB_PER_UNIT[unit] ?? 0)
  }, 0)
}

/** Rounded to one decimal; nothing to average is no load. */
export function averageCpu(processes: readonly Process[]): number {
  if (processes.length === 0) return 0
  const sum = processes.reduce((total, { cpu }) => total + Number(cpu), 0)
  return Math.round((sum / processes.length) * 10) / 10
}

/** A size as the wire writes it, `-4.66 GiB` or `0`, in the figures of the language. What is no size stays as it is. */
export function localSize(text: string, locale: string): string {
  const match = /^(-?[\d.]+)(?: (\w+))?$/.exec(text)
  if (!match) return text
  const digits = match[2] === undefined ? 0 : 2
  const amount = numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Number(match[1]))
  return `${amount} ${match[2] ?? 'B'}`
}

/** Which way a difference points. */
export function direction(difference: string): 'up' | 'down' | 'same' {
  const amount = Number.parseFloat(difference)
  if (!amount) return 'same'
  return amount > 0 ? 'up' : 'down'
}
