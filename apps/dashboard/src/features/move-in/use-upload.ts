import { getMoveIn, UPLOAD_PIECE_BYTES, type MoveIn } from '@causeway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { base64Of } from '../../lib/base64-of.ts'
import { useUploadPiece } from './move-in.queries.ts'

/** Sends a file in pieces; one that was broken off goes on where it ended. */
export function useUpload(held: MoveIn['upload']) {
  const client = useQueryClient()
  const piece = useUploadPiece()
  const [share, setShare] = useState<number>()
  const [error, setError] = useState<Error>()

  async function send(file: File): Promise<void> {
    setError(undefined)
    const isSame = held !== null && held.name === file.name && held.bytes === file.size
    let offset = isSame && held.receivedBytes < file.size ? held.receivedBytes : 0
    try {
      do {
        setShare(offset / file.size)
        const content = await base64Of(file.slice(offset, offset + UPLOAD_PIECE_BYTES))
        const sent = await piece.mutateAsync({ name: file.name, bytes: file.size, offset, content })
        offset = sent.receivedBytes
      } while (offset < file.size)
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
    setShare(undefined)
    await client.invalidateQueries({ queryKey: [getMoveIn.name] })
  }
  return { share, error, send }
}
