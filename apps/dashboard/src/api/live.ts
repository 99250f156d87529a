import type * as contract from '@causeway/contract'
import type { LiveTopic } from '@causeway/contract'
import type { QueryClient } from '@tanstack/react-query'
import { seconds } from '../lib/time/durations.ts'
import { listen, type Message } from './event-stream.ts'
import { sessionStore } from './session.ts'

/** How long is waited before the stream is opened again, by how often it could not be; the last for ever. */
const PAUSES = [seconds(1), seconds(3), seconds(10), seconds(30)] as const
/** A hidden tab closes its stream: browsers allow six connections to a server without HTTP/2. */
const HIDDEN_AFTER = seconds(10)
/** All tabs hear of a change at once; they need not all ask at once. */
const SPREAD = 500

/**
 * Follows the changes of others while a session exists and the tab is visible, and repeats the reads concerned.
 * Without the stream everything is polled as usual: the stream only makes screens follow sooner. Returns the function
 * that ends it.
 */
export function followChanges(client: QueryClient): () => void {
  let running: AbortController | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  let lastId: string | undefined

  function onMessage({ id, event }: Message): void {
    lastId = id ?? lastId
    if (event.changed === 'all' || event.changed.length > 0)
      setTimeout(() => refresh(client, event.changed), Math.random() * SPREAD)
  }

  async function follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const ending = await listen({ lastId, signal, onMessage })
      if (ending === 'refused') return
      failures = ending === 'heard' ? 0 : failures + 1
      const pause = PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 0
      await wait(pause * (0.5 + Math.random()), signal)
    }
  }

  function start(): void {
    clearTimeout(hiding)
    hiding = undefined
    if (running || !sessionStore.getState().isAuthenticated || document.hidden) return
    running = new AbortController()
    void follow(running.signal)
  }
  function stop(): void {
    clearTimeout(hiding)
    hiding = undefined
    running?.abort()
    running = undefined
  }
  function onVisibility(): void {
    if (document.hidden) hiding ??= setTimeout(stop, HIDDEN_AFTER)
    else start()
  }
  const unsubscribe = sessionStore.subscribe(({ isAuthenticated }) => {
    if (isAuthenticated) return start()
    stop()
    lastId = undefined
  })
  document.addEventListener('visibilitychange', onVisibility)
  start()
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', onVisibility)
    stop()
  }
}

/** Reads again what is shown, and marks the rest as old; what is selected or dragged must not move under the pointer. */
function refresh(client: QueryClient, changed: Message['event']['changed']): void {
  const reads = changed === 'all' ? undefined : readsOf(changed)
  void client.invalidateQueries({
    predicate: ({ queryKey, meta }) => meta?.isResting !== true && (reads === undefined || reads.has(queryKey[0])),
  })
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Reads to repeat after a change of a topic. Figures that change all the time are polled instead. */
const READS: Record<LiveTopic, readonly (keyof typeof contract)[]> = {
  users: ['listUsers', 'listUsersNearLimit', 'getUser', 'listUserTags', 'getUserAccess', 'getUserAccessibleNodes'],
  devices: ['findHwidDevices', 'getHwidStats', 'listUserHwidDevices'],
  squads: ['listExternalSquads', 'getExternalSquad', 'listInternalSquads', 'getInternalSquad', 'getInternalSquadAccessibleNodes'],
  profiles: [
    'listConfigProfiles',
    'getConfigProfile',
    'listInbounds',
    'listProfileInbounds',
    'listRollouts',
    'listOpenProfiles',
    'listSnippets',
    'getSnippet',
  ],
  hosts: ['listHosts', 'getHost', 'listHostTags'],
  nodes: ['listNodes', 'getNode', 'listNodePhases', 'getNodeDeliveries', 'getNodeUpdates', 'getGeoFiles'],
  billing: ['listInfraProviders', 'getInfraProvider', 'listInfraBillingNodes', 'listInfraBillingHistory', 'getInfraSpending'],
  settings: ['listPageConfigs', 'getSubscriptionSettings', 'getSubscriptionPage', 'getInstallation'],
  templates: ['getSubscriptionTemplate', 'listSubscriptionTemplates'],
  jobs: ['listJobs', 'getJob'],
  tokens: ['listApiTokens'],
}

function readsOf(topics: readonly LiveTopic[]): ReadonlySet<unknown> {
  // Every change is an entry of the history.
  return new Set([...topics.flatMap((topic) => READS[topic]), 'listHistory', 'listDeleted'])
}
