import type { CallInput, Endpoint } from '@causeway/contract'
import { useState } from 'react'
import { saveBlob } from '../lib/save-file.ts'
import { errorOfReply } from './call-error.ts'
import { callHeaders } from './credentials.ts'
import { isUnproven, withProof } from './proof.ts'
import { showFailure } from './toasts.ts'
import { buildUrl } from './url.ts'

/** Hands what a read gives to the browser as a file; says so where it fails. */
export function useSaving(endpoint: Endpoint) {
  const [isBusy, setBusy] = useState(false)
  async function save(read: () => Promise<void>): Promise<void> {
    setBusy(true)
    try {
      await withProof(read)
    } catch (error) {
      if (!isUnproven(error)) showFailure(endpoint, error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, save }
}

/** Fetches what an endpoint streams, as a file of this name. */
export async function download<E extends Endpoint>(endpoint: E, name: string, input: CallInput<E>): Promise<void> {
  const reply = await fetch(buildUrl(endpoint.path, {}, { ...input }), { headers: callHeaders() })
  if (!reply.ok) throw await errorOfReply(reply, { hadSession: false })
  saveBlob(name, await reply.blob())
}

/** The same of an endpoint that records what was fetched, whose parameters stand in its path. */
export async function downloadOf<E extends Endpoint>(endpoint: E, name: string, params: Record<string, string>): Promise<void> {
  const reply = await fetch(buildUrl(endpoint.path, params, {}), { method: endpoint.method, headers: callHeaders() })
  if (!reply.ok) throw await errorOfReply(reply, { hadSession: false })
  saveBlob(name, await reply.blob())
}
