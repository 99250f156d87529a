import { useState } from 'react'

interface Ceremony<Result> {
  isPending: boolean
  isDone: boolean
  result?: Result
  error?: Error
}

/** A question of the browser to the person, such as for a passkey. It changes nothing at the server. */
export function useCeremony<Result>(ask: () => Promise<Result>, onDone: (result: Result) => void) {
  const [state, setState] = useState<Ceremony<Result>>({ isPending: false, isDone: false })
  async function start(): Promise<void> {
    setState({ isPending: true, isDone: false })
    try {
      const result = await ask()
      setState({ isPending: false, isDone: true, result })
      onDone(result)
    } catch (error) {
      const known = error instanceof Error ? error : new Error(String(error))
      setState({ isPending: false, isDone: false, error: known })
    }
  }
  return { ...state, start }
}
