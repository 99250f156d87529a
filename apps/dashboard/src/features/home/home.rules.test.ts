import { describe, expect, it } from 'vitest'
import { QUERY_TIMES } from './home.queries.ts'
import { averageCpu, cpuColor, direction, localSize, totalMemoryMib } from './home.rules.ts'

const process = (memory: string, cpu: string) => ({ name: 'REST API-0', memory, cpu })

it.each([
  [0, 'green'],
  [29.9, 'green'],
  [30, 'yellow'],
  [69.9, 'yellow'],
  [70, 'red'],
  [180, 'red'],
])('HOME-003 a process at %d%% CPU is %s', (cpu, color) => {
  expect(cpuColor(cpu)).toBe(color)
})

describe('processes', () => {
  it("HOME-004 total memory is the sum of the processes' MiB, other units converted", () => {
    expect(totalMemoryMib([process('100.50 MiB', '1'), process('20.25 MiB', '1')])).toBeCloseTo(120.75)
    expect(totalMemoryMib([process('1.00 GiB', '1'), process('512.00 KiB', '1'), process('0', '1')])).toBeCloseTo(1024.5)
    expect(totalMemoryMib([])).toBe(0)
  })

  it('HOME-005 average CPU has one decimal', () => {
    expect(averageCpu([process('1 MiB', '1.1'), process('1 MiB', '2.2'), process('1 MiB', '3.4')])).toBe(2.2)
    expect(averageCpu([process('1 MiB', '0.33')])).toBe(0.3)
    expect(averageCpu([])).toBe(0)
  })
})

describe('periods of the queries', () => {
  it('HOME-016 system info and bandwidth are stale after 5 s and read every 5.1 s', () => {
    expect(QUERY_TIMES.stats).toEqual({ staleTime: 5000, refetchInterval: 5100 })
  })

  it('HOME-017 health is stale and read again after 10 s', () => {
    expect(QUERY_TIMES.health).toEqual({ staleTime: 10_000, refetchInterval: 10_000 })
  })
})

it.each([
  ['4.66 GiB', 'en', '4.66 GiB'],
  ['-4.66 GiB', 'ru', '-4,66 GiB'],
  ['0', 'en', '0 B'],
  ['unknown', 'en', 'unknown'],
])('the size %s reads in %s: %s', (text, locale, expected) => {
  expect(localSize(text, locale)).toBe(expected)
})

it.each([
  ['1.00 GiB', 'up'],
  ['-1.00 GiB', 'down'],
  ['0', 'same'],
])('a difference of %s points %s', (difference, expected) => {
  expect(direction(difference)).toBe(expected)
})
