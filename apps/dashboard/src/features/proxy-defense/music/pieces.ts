// Music of our own: chords and patterns from which the browser makes sound. Pitches are numbers of the MIDI scale.

export type Voice = 'pad' | 'keys' | 'pluck' | 'bass' | 'kick' | 'hat'

export interface Note {
  voice: Voice
  /** Seconds from the beginning. */
  at: number
  length: number
  pitch: number
  /** 0 to 1. */
  gain: number
}

interface Part {
  voice: Voice
  gain: number
  /**
   * Notes of every bar: `step/note/length`, step and length in sixteenths of the bar. The note is the chord's from 0
   * on, from 7 on the same an octave higher; -1 is its lowest an octave lower.
   */
  steps: string
  /** Silent before this round of the chords. */
  fromRound: number
}

export interface Piece {
  title: string
  bpm: number
  rounds: number
  chords: readonly (readonly number[])[]
  parts: readonly Part[]
}

const STEPS_PER_BAR = 16
const OCTAVE = 12
const HELD = '0/0/16 0/1/16 0/2/16 0/3/16'

export const PIECES: readonly Piece[] = [
  {
    title: 'Quiet Racks',
    bpm: 76,
    rounds: 4,
    // A minor ninth, F major seventh, C major ninth, G six
    chords: [
      [57, 60, 64, 71],
      [53, 57, 60, 64],
      [48, 55, 59, 62],
      [55, 59, 62, 64],
    ],
    parts: [
      { voice: 'pad', gain: 0.5, fromRound: 0, steps: HELD },
      { voice: 'bass', gain: 0.55, fromRound: 1, steps: '0/-1/7 8/-1/3 12/-1/4' },
      {
        voice: 'pluck',
        gain: 0.4,
        fromRound: 0,
        steps: '0/7/2 3/9/2 6/8/2 8/10/2 11/9/2 14/8/2',
      },
      { voice: 'hat', gain: 0.12, fromRound: 2, steps: '4/0/1 12/0/1 14/0/1' },
    ],
  },
  {
    title: 'Packet Drift',
    bpm: 88,
    rounds: 5,
    // D minor ninth, G seven, C major seventh, A minor seventh
    chords: [
      [50, 53, 60, 64],
      [55, 59, 62, 65],
      [48, 52, 59, 64],
      [57, 60, 64, 67],
    ],
    parts: [
      { voice: 'keys', gain: 0.5, fromRound: 0, steps: '0/0/6 0/1/6 0/2/6 0/3/6 10/1/4 10/2/4 10/3/4' },
      { voice: 'bass', gain: 0.6, fromRound: 1, steps: '0/-1/5 6/-1/2 10/-1/5' },
      { voice: 'kick', gain: 0.7, fromRound: 1, steps: '0/0/2 7/0/2 10/0/2' },
      { voice: 'hat', gain: 0.16, fromRound: 1, steps: '2/0/1 4/0/1 6/0/1 10/0/1 12/0/1 14/0/1' },
      { voice: 'pluck', gain: 0.3, fromRound: 2, steps: '4/9/2 7/8/2 12/10/3' },
    ],
  },
  {
    title: 'Green Lights',
    bpm: 108,
    rounds: 6,
    // E minor seventh, C major seventh, G, D with a fourth
    chords: [
      [52, 55, 59, 62],
      [48, 52, 55, 59],
      [55, 59, 62, 67],
      [50, 55, 57, 62],
    ],
    parts: [
      { voice: 'pad', gain: 0.35, fromRound: 1, steps: HELD },
      {
        voice: 'pluck',
        gain: 0.42,
        fromRound: 0,
        steps: '0/0/1 2/2/1 4/7/1 6/3/1 8/2/1 10/8/1 12/3/1 14/7/1',
      },
      { voice: 'bass', gain: 0.55, fromRound: 1, steps: '0/-1/2 4/-1/2 8/-1/2 11/-1/1 14/-1/2' },
      { voice: 'kick', gain: 0.75, fromRound: 2, steps: '0/0/2 4/0/2 8/0/2 12/0/2' },
      { voice: 'hat', gain: 0.14, fromRound: 2, steps: '2/0/1 6/0/1 10/0/1 14/0/1' },
      { voice: 'keys', gain: 0.32, fromRound: 3, steps: '0/9/3 6/10/3 11/8/4' },
    ],
  },
]

/** The piece's length with its last notes dying away. */
export function secondsOf(piece: Piece): number {
  return piece.rounds * piece.chords.length * barSeconds(piece) + 2
}

export function notesOf(piece: Piece): Note[] {
  const bar = barSeconds(piece)
  const notes: Note[] = []
  for (let round = 0; round < piece.rounds; round += 1) {
    for (const [index, chord] of piece.chords.entries()) {
      const start = (round * piece.chords.length + index) * bar
      for (const { voice, gain, steps, fromRound } of piece.parts) {
        if (round < fromRound) continue
        for (const [step, chordNote, length] of parsed(steps))
          notes.push({
            voice,
            gain,
            at: start + (step * bar) / STEPS_PER_BAR,
            length: (length * bar) / STEPS_PER_BAR,
            pitch: pitchOf(chord, chordNote),
          })
      }
    }
  }
  return notes
}

export function hertzOf(pitch: number): number {
  return 440 * 2 ** ((pitch - 69) / OCTAVE)
}

function parsed(steps: string): (readonly [step: number, chordNote: number, length: number])[] {
  return steps.split(' ').map((entry) => {
    const [step = 0, chordNote = 0, length = 0] = entry.split('/').map(Number)
    return [step, chordNote, length] as const
  })
}

function pitchOf(chord: readonly number[], chordNote: number): number {
  if (chordNote < 0) return (chord[-chordNote - 1] ?? 0) - OCTAVE
  return chordNote < 7 ? (chord[chordNote] ?? 0) : (chord[chordNote - 7] ?? 0) + OCTAVE
}

function barSeconds({ bpm }: Piece): number {
  return (60 / bpm) * 4
}
