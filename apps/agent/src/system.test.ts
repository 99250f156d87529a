import { describe, expect, test } from 'vitest'
import { systemInformation } from './system.ts'

const times = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 }

describe('what the agent says of its machine', () => {
  test('is the name and speed of its processor, and its memory in decimal units', () => {
    const cpu = { model: 'Fast Chip ', speed: 3_250, times }
    expect(systemInformation([cpu, cpu], 8_326_000_000)).toEqual({
      cpuCores: 2,
      cpuModel: 'Fast Chip/3.25 GHz',
      memoryTotal: '8.33 GB',
    })
  })

  test('has no speed where the machine tells none', () => {
    expect(systemInformation([{ model: 'Quiet Chip', speed: 0, times }]).cpuModel).toBe('Quiet Chip')
    expect(systemInformation([]).cpuModel).toBe('unknown')
  })
})
