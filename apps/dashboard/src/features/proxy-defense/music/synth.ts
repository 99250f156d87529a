import { seeded } from '../simulation/random.ts'
import { hertzOf, type Note, notesOf, type Piece, secondsOf, type Voice } from './pieces.ts'

// Makes sound of a piece, sample by sample. Pure and the same on every machine, so that it can run in a worker and in a test.

export const SAMPLE_RATE = 32_000
const FADE_SECONDS = 2
const LOUDEST = 0.8
const ECHO = { seconds: 0.33, feedback: 0.35, gain: 0.25 } as const

/** Left and right, samples from -1 to 1. */
export type Sound = [left: Float32Array<ArrayBuffer>, right: Float32Array<ArrayBuffer>]

export function synthesise(piece: Piece): Sound {
  const length = Math.ceil(secondsOf(piece) * SAMPLE_RATE)
  const sound: Sound = [new Float32Array(length), new Float32Array(length)]
  for (const note of notesOf(piece)) for (const tone of voices[note.voice](note)) add(sound, note, tone)
  addEcho(sound)
  finish(sound)
  return sound
}

interface Tone {
  /** From -1 to 1 for a place within one swing, 0 to 1. */
  wave: (phase: number) => number
  /** Times the note's pitch. */
  times?: number
  /** From the beginning to the loudest, in seconds; after `holds` it dies away by half in each of `halves`. */
  attack: number
  holds: number
  halves: number
  gain: number
  /** -1 left to 1 right. */
  side?: number
  /** Higher sound is taken away, by hertz. */
  dullAbove?: number
  /** The pitch falls to this part of itself, as a drum's does. */
  fallsTo?: number
}

const sine = (phase: number) => SINE[(phase * SINE.length) | 0] ?? 0
const triangle = (phase: number) => 4 * Math.abs(phase - 0.5) - 1
const saw = (phase: number) => 2 * phase - 1
const SINE = Float32Array.from({ length: 4096 }, (_, index) => Math.sin((2 * Math.PI * index) / 4096))
const NOISE = Float32Array.from({ length: 4096 }, seeded(1))
/** Noise without its lower half. */
const hiss = (phase: number) => {
  const index = (phase * NOISE.length) | 0
  return (NOISE[index] ?? 0) - (NOISE[(index + 1) % NOISE.length] ?? 0)
}

const voices: Record<Voice, (note: Note) => Tone[]> = {
  // Two strings a little apart, opening slowly.
  pad: ({ length }) =>
    [0.996, 1.004].map((times, index) => ({
      wave: saw,
      times,
      attack: length * 0.4,
      holds: length * 0.75,
      halves: 0.18,
      gain: 0.09,
      side: index - 0.5,
      dullAbove: 700,
    })),
  keys: ({ length }) => [
    { wave: sine, attack: 0.01, holds: 0.02, halves: length * 0.5, gain: 0.22 },
    { wave: sine, times: 4, attack: 0.005, holds: 0.01, halves: 0.06, gain: 0.05, side: 0.3 },
  ],
  pluck: ({ pitch }) => [
    { wave: triangle, attack: 0.004, holds: 0.01, halves: 0.09, gain: 0.3, side: (pitch % 5) / 4 - 0.5, dullAbove: 2600 },
  ],
  bass: ({ length }) => [{ wave: triangle, attack: 0.012, holds: length * 0.6, halves: 0.07, gain: 0.4, dullAbove: 420 }],
  kick: () => [{ wave: sine, times: 1, attack: 0.002, holds: 0.02, halves: 0.045, gain: 0.6, fallsTo: 0.36 }],
  hat: () => [{ wave: hiss, times: 0.05, attack: 0.001, holds: 0.002, halves: 0.012, gain: 0.5, side: 0.2 }],
}

const KICK_HERTZ = 120
/** A tone that has halved so often is not heard any more. */
const HALVES_HEARD = 9

function add([left, right]: Sound, note: Note, tone: Tone): void {
  const { wave, attack, holds, halves, side = 0, dullAbove, fallsTo } = tone
  const hertz = (note.voice === 'kick' ? KICK_HERTZ : hertzOf(note.pitch)) * (tone.times ?? 1)
  const from = Math.round(note.at * SAMPLE_RATE)
  const samples = Math.min(Math.ceil((holds + halves * HALVES_HEARD) * SAMPLE_RATE), left.length - from)
  const peak = tone.gain * note.gain
  const decay = 0.5 ** (1 / (halves * SAMPLE_RATE))
  const rise = 1 / Math.max(1, attack * SAMPLE_RATE)
  const heldSamples = holds * SAMPLE_RATE
  const keep = dullAbove === undefined ? 0 : Math.exp((-2 * Math.PI * dullAbove) / SAMPLE_RATE)
  const [leftGain, rightGain] = [Math.min(1, 1 - side), Math.min(1, 1 + side)]
  let phase = 0
  let level = 0
  let dull = 0
  for (let index = 0; index < samples; index += 1) {
    if (index > heldSamples) level *= decay
    else level = Math.min(1, level + rise)
    const fall = fallsTo === undefined ? 1 : fallsTo + (1 - fallsTo) * Math.exp(-index / (0.03 * SAMPLE_RATE))
    phase += (hertz * fall) / SAMPLE_RATE
    phase -= Math.floor(phase)
    dull = wave(phase) * (1 - keep) + dull * keep
    const sample = dull * level * peak
    const at = from + index
    left[at] = (left[at] ?? 0) + sample * leftGain
    right[at] = (right[at] ?? 0) + sample * rightGain
  }
}

/** Each side is heard again from the other. */
function addEcho([left, right]: Sound): void {
  const delay = Math.round(ECHO.seconds * SAMPLE_RATE)
  const echoes: Sound = [new Float32Array(left.length), new Float32Array(left.length)]
  for (let index = delay; index < left.length; index += 1) {
    const before = index - delay
    echoes[0][index] = (right[before] ?? 0) + (echoes[1][before] ?? 0) * ECHO.feedback
    echoes[1][index] = (left[before] ?? 0) + (echoes[0][before] ?? 0) * ECHO.feedback
  }
  for (let index = 0; index < left.length; index += 1) {
    left[index] = (left[index] ?? 0) + (echoes[0][index] ?? 0) * ECHO.gain
    right[index] = (right[index] ?? 0) + (echoes[1][index] ?? 0) * ECHO.gain
  }
}

/** Every piece is as loud as the others, and ends in silence. */
function finish(sound: Sound): void {
  let loudest = 0
  for (const channel of sound) for (const sample of channel) loudest = Math.max(loudest, Math.abs(sample))
  const fade = FADE_SECONDS * SAMPLE_RATE
  for (const channel of sound) {
    for (let index = 0; index < channel.length; index += 1) {
      const end = Math.min(1, (channel.length - 1 - index) / fade)
      channel[index] = ((channel[index] ?? 0) * LOUDEST * end) / loudest
    }
  }
}
