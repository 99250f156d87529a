export const eventKinds = {
  disk_format: { durationMs: 2000, priority: 100, minWaves: 4, maxWaves: 7 },
  data_flood: { durationMs: 3000, priority: 80, minWaves: 5, maxWaves: 8 },
} as const

export type EventType = keyof typeof eventKinds

export const FLOOD = { count: 2, health: 0.6 } as const
