import type { Node } from '@causeway/contract'
import { hasNeverAnswered } from '../nodes/nodes.rules.ts'

export const FIRST_STEPS = ['profile', 'squad', 'node', 'host', 'user', 'link'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** An installation with more users than these needs no guide. */
export const MOST_USERS_AT_FIRST = 10

interface Installation {
  profiles: number
  squads: number
  nodes: readonly Pick<Node, 'xrayVersion' | 'nodeVersion'>[]
  hosts: number
  users: number
  /** Whether any subscription was opened or any user was online. */
  isInUse: boolean
}

/** Which of the first steps are done. A node counts once its agent has answered, whatever became of it later. */
export function doneSteps({ profiles, squads, nodes, hosts, users, isInUse }: Installation): ReadonlySet<FirstStep> {
  const isDone: Record<FirstStep, boolean> = {
    profile: profiles > 0,
    squad: squads > 0,
    node: nodes.some((node) => !hasNeverAnswered(node)),
    host: hosts > 0,
    user: users > 0,
    link: isInUse,
  }
  return new Set(FIRST_STEPS.filter((step) => isDone[step]))
}
