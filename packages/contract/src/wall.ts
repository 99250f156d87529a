import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { node } from './nodes.ts'
import { getUsageHistory } from './usage-history.ts'
import { wireInstant, wireInt } from './wire.ts'

// The wall: one view of the service for a monitor. All that it shows is one answer, so that its token opens nothing else.

/** An active user whose access ends within this time is counted. */
export const WALL_EXPIRY_DAYS = 3
/** A bill that is due within this time is counted, and one that is overdue. */
export const WALL_BILL_DAYS = 7

/** Nodes without their addresses, keys and providers. */
export const wallNode = node.pick({
  uuid: true,
  name: true,
  countryCode: true,
  isConnected: true,
  isConnecting: true,
  isDisabled: true,
  isNodeOnline: true,
  xrayVersion: true,
  nodeVersion: true,
  lastStatusChange: true,
  usersOnline: true,
  isTrafficTrackingActive: true,
  trafficLimitBytes: true,
  trafficUsedBytes: true,
})
export type WallNode = z.output<typeof wallNode>

export const getWall = endpoint({
  name: 'getWall',
  title: 'Get Wall',
  tag: 'System',
  access: 'wall.read',
  method: 'GET',
  path: '/api/x/wall',
  response: z.object({
    release: z.string().describe('another one with every release: an open wall then loads itself anew'),
    now: wireInstant,
    onlineNow: wireInt,
    nodes: z.array(wallNode),
    needs: z
      .object({
        usersNearLimit: wireInt,
        usersExpiring: wireInt.describe(`active ones, within ${WALL_EXPIRY_DAYS} days`),
        billsDue: wireInt.describe(`within ${WALL_BILL_DAYS} days, or overdue`),
        failedRollouts: wireInt.describe('of profiles that were not saved since'),
        isBackupFailed: z.boolean(),
      })
      .describe('what needs attention beside nodes, in numbers alone'),
    history: getUsageHistory.response.describe('of the last 24 hours'),
  }),
})
export type Wall = z.output<typeof getWall.response>
