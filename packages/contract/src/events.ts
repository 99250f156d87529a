import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import type { Permission } from './permissions.ts'

/** Topics of changes, and the permission to receive each. */
export const liveTopics = {
  users: 'users.read',
  devices: 'users.read',
  squads: 'squads.read',
  profiles: 'profiles.read',
  hosts: 'hosts.read',
  nodes: 'nodes.read',
  billing: 'billing.read',
  settings: 'settings.read',
  templates: 'settings.read',
  jobs: 'jobs.read',
  tokens: 'tokens.read',
} as const satisfies Record<string, Permission>
export type LiveTopic = keyof typeof liveTopics

export const liveTopic = z.enum(Object.keys(liveTopics) as [LiveTopic, ...LiveTopic[]]) // the type of keys() does not tell

/**
 * One message of the stream. `changed`: something of these topics is not as it was; the data come by the ordinary reads.
 * `all`: what happened meanwhile is not known, or too long ago to say.
 */
export const liveEvent = z.object({ changed: z.union([z.literal('all'), z.array(liveTopic)]) })
export type LiveEvent = z.output<typeof liveEvent>

/** What a caller needs for as long as the stream is open. */
export const followPermission = 'system.read' satisfies Permission

/** The stream of changes, server-sent, each message with an id to go on from (`Last-Event-ID`). Own addition. */
export const followEvents = endpoint({
  name: 'followEvents',
  title: 'Follow Events',
  tag: 'System',
  access: followPermission,
  method: 'GET',
  path: '/api/x/events',
  response: z.unknown(),
  raw: true,
})
