import { z } from 'zod'

const ips = z.array(z.object({ ip: z.string(), lastSeen: z.string() }))
const error = z.string().nullable()

/** The kept part of a reading, by kind. */
export const userResult = z.object({
  success: z.boolean(),
  userUuid: z.string(),
  userId: z.number(),
  nodes: z.array(z.object({ nodeUuid: z.string(), nodeName: z.string(), countryCode: z.string(), ips, error })),
})
export const nodeResult = z.object({
  success: z.boolean(),
  nodeUuid: z.string(),
  error,
  users: z.array(z.object({ userId: z.number(), ips })),
})
