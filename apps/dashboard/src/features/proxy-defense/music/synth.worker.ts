import { PIECES } from './pieces.ts'
import { SAMPLE_RATE, synthesise } from './synth.ts'
import { wavOf } from './wav.ts'

// Beside the game, which must not stutter while a piece is made. Asked with the number of a piece, answers with its file.

addEventListener('message', ({ data }: MessageEvent<number>) => {
  const piece = PIECES[data]
  postMessage(piece === undefined ? undefined : wavOf(synthesise(piece), SAMPLE_RATE))
})
