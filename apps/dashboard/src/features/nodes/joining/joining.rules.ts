import { JOIN_STEPS, type JoinFailure, type JoinStep, type NodeJoin, type UnreachedReason } from '@causeway/contract'

export interface StepRow {
  step: JoinStep
  at: string | null
  /** `next` is what is being waited for. */
  state: 'done' | 'next' | 'later' | 'failed'
}

/** The steps in their order, with the one that is under way. */
export function stepRows({ steps, failure }: NonNullable<NodeJoin['join']>): StepRow[] {
  const next = JOIN_STEPS.find((step) => steps[step] === null)
  return JOIN_STEPS.map((step) => {
    const at = steps[step]
    if (at !== null) return { step, at, state: 'done' }
    if (step !== next) return { step, at, state: 'later' }
    return { step, at, state: failure ? 'failed' : 'next' }
  })
}

/** The command that shows more of a failure of the script, if there is one. */
export function commandOfFailure(kind: JoinFailure, port: number): string | undefined {
  const commands: Partial<Record<JoinFailure, string>> = {
    notRunning: 'sudo causeway-node logs',
    portTaken: whoListens(port),
    diskFull: 'df -h /opt',
    clock: 'timedatectl',
    anotherPackage: 'dpkg -l causeway-node',
  }
  return commands[kind]
}

/** The command that shows more where the server cannot call the node. */
export function commandOfReason(reason: UnreachedReason, { address, port }: { address: string; port: number }): string {
  switch (reason) {
    case 'closed':
      return `sudo ufw allow ${port}/tcp`
    case 'name':
      return `getent hosts ${address}`
    case 'otherProgram':
      return whoListens(port)
    case 'notCalling':
      return 'sudo causeway-node logs'
    case 'refused':
    case 'certificate':
    case 'other':
      return 'sudo causeway-node doctor'
  }
}

function whoListens(port: number): string {
  return `sudo ss -ltnp "sport = :${port}"`
}

/** Only after the agent runs does it mean anything that the server cannot call it. */
export function unreachedReason({ steps, unreached }: NonNullable<NodeJoin['join']>): UnreachedReason | null {
  return steps.signed !== null && steps.reached === null ? unreached : null
}
