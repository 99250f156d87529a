import { createStore } from '../lib/store.ts'
import { CallError } from './call-error.ts'
import { sessionToken } from './credentials.ts'

/** Set by the dialog that shows it, while a dangerous action waits for a new proof of identity. */
export const proofStore = createStore<((isProven: boolean) => void) | undefined>(undefined)

/** The server asks for another proof of identity, which a dialog takes over. */
export function isUnproven(error: unknown): boolean {
  return error instanceof CallError && error.status === 428
}

/** The session goes on, and may not do this: by its role, or before it has a second factor. */
export function isRefused(error: unknown): boolean {
  return isUnproven(error) || (error instanceof CallError && error.status === 403 && !error.hadSession)
}

/** Acts, and once more after a proof where the server asks for one. Without it the refusal stands. */
export async function withProof<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!isUnproven(error) || sessionToken() === null) throw error
    const isProven = await new Promise<boolean>(proofStore.setState)
    proofStore.setState(undefined)
    if (!isProven) throw error
    return act()
  }
}
