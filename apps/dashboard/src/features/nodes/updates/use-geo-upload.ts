import { GEO_PIECE_BYTES, getGeoFiles, getNodeUpdates } from '@causeway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { base64Of } from '../../../lib/base64-of.ts'
import { useUploadGeoPiece } from './node-updates.queries.ts'

/** Sends files in pieces, one after another. The first one that is refused ends it. */
export function useGeoUpload() {
  const client = useQueryClient()
  const piece = useUploadGeoPiece()
  const [sending, setSending] = useState<{ name: string; share: number }>()
  const [error, setError] = useState<{ name: string; error: Error }>()

  async function sendFile(file: File): Promise<void> {
    const { name, size: bytes } = file
    let offset = 0
    do {
      setSending({ name, share: offset / Math.max(bytes, 1) })
      const content = await base64Of(file.slice(offset, offset + GEO_PIECE_BYTES))
      offset = (await piece.mutateAsync({ name, bytes, offset, content })).receivedBytes
    } while (offset < bytes)
  }

  async function send(files: readonly File[]): Promise<void> {
    setError(undefined)
    for (const file of files) {
      try {
        await sendFile(file)
      } catch (failure) {
        setError({ name: file.name, error: failure instanceof Error ? failure : new Error(String(failure)) })
        break
      }
    }
    setSending(undefined)
    for (const { name } of [getGeoFiles, getNodeUpdates]) await client.invalidateQueries({ queryKey: [name] })
  }
  return { sending, error, send }
}
