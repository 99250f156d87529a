import { type Piece, PIECES } from './pieces.ts'

/** The file of one of our pieces. */
export function makePiece(piece: Piece): Promise<Blob> {
  const worker = new Worker(new URL('./synth.worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  worker.addEventListener('message', ({ data }) => (data instanceof Blob ? resolve(data) : reject(new Error('no such piece'))))
  worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  worker.postMessage(PIECES.indexOf(piece))
  return promise.finally(() => worker.terminate())
}
