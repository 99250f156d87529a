import { seeded } from '../simulation/random.ts'
import { hertzOf, type Note, notesOf, type Piece, secondsOf, type Voice } from './pieces.ts'
import { wavOf } from './wav.ts'

const SAMPLE_RATE = 32_000
const FADE_SECONDS = 2
const ECHO = { seconds: 0.33, feedback: 0.32, gain: 0.22 } as const

/** Makes the sound of a piece, as a file that an audio element plays. */
export async function synthesise(piece: Piece): Promise<Blob> {
  const seconds = secondsOf(piece)
  const context = new OfflineAudioContext(2, Math.ceil(seconds * SAMPLE_RATE), SAMPLE_RATE)
  const out = output(context, seconds)
  const noise = noiseOf(context)
  for (const note of notesOf(piece)) voices[note.voice]({ context, out, noise, note })
  const sound = await context.startRendering()
  return wavOf([sound.getChannelData(0), sound.getChannelData(1)], SAMPLE_RATE)
}

interface Playing {
  context: OfflineAudioContext
  out: AudioNode
  noise: AudioBuffer
  note: Note
}

const voices: Record<Voice, (playing: Playing) => void> = {
  pad: (playing) => {
    const { at, length } = playing.note
    // Two strings a little apart, opening slowly.
    for (const [cents, side] of [
      [-7, -0.4],
      [7, 0.4],
    ] as const) {
      const gain = envelope(playing, 0.09, [at + length * 0.4, at + length + 0.4])
      tone(playing, { type: 'sawtooth', cents, endsAt: at + length + 0.5 })
        .connect(lowPass(playing, 900))
        .connect(pan(playing, side))
        .connect(gain)
    }
  },
  keys: (playing) => {
    const { at, length } = playing.note
    const gain = envelope(playing, 0.22, [at + 0.01, at + length + 0.5])
    tone(playing, { type: 'sine', endsAt: at + length + 0.6 }).connect(gain)
    const bell = envelope(playing, 0.05, [at + 0.005, at + 0.35])
    tone(playing, { type: 'sine', times: 4, endsAt: at + 0.4 }).connect(bell)
  },
  pluck: (playing) => {
    const { at, pitch } = playing.note
    const gain = envelope(playing, 0.3, [at + 0.004, at + 0.55])
    tone(playing, { type: 'triangle', endsAt: at + 0.6 })
      .connect(lowPass(playing, 2600))
      .connect(pan(playing, (pitch % 5) / 5 - 0.4))
      .connect(gain)
  },
  bass: (playing) => {
    const { at, length } = playing.note
    const gain = envelope(playing, 0.4, [at + 0.015, at + length])
    tone(playing, { type: 'triangle', endsAt: at + length + 0.1 })
      .connect(lowPass(playing, 420))
      .connect(gain)
  },
  kick: (playing) => {
    const { at } = playing.note
    const gain = envelope(playing, 0.6, [at + 0.003, at + 0.22])
    const drum = tone(playing, { type: 'sine', endsAt: at + 0.25 })
    drum.frequency.setValueAtTime(120, at)
    drum.frequency.exponentialRampToValueAtTime(42, at + 0.12)
    drum.connect(gain)
  },
  hat: (playing) => {
    const { context, noise, note } = playing
    const source = new AudioBufferSourceNode(context, { buffer: noise })
    const filter = new BiquadFilterNode(context, { type: 'highpass', frequency: 7000 })
    source.connect(filter).connect(envelope(playing, 0.5, [note.at + 0.002, note.at + 0.06]))
    source.start(note.at)
    source.stop(note.at + 0.08)
  },
}

/** Everything goes through here: an echo, and silence at the end. */
function output(context: OfflineAudioContext, seconds: number): AudioNode {
  const out = new GainNode(context, { gain: 0.9 })
  const echo = new DelayNode(context, { delayTime: ECHO.seconds, maxDelayTime: 1 })
  const feedback = new GainNode(context, { gain: ECHO.feedback })
  const wet = new GainNode(context, { gain: ECHO.gain })
  const end = new GainNode(context)
  const limiter = new DynamicsCompressorNode(context, { threshold: -14, ratio: 6 })
  end.gain.setValueAtTime(1, seconds - FADE_SECONDS)
  end.gain.linearRampToValueAtTime(0, seconds)
  out.connect(end)
  out.connect(echo).connect(feedback).connect(echo)
  echo.connect(wet).connect(end)
  end.connect(limiter).connect(context.destination)
  return out
}

interface Tone {
  type: OscillatorType
  endsAt: number
  cents?: number
  times?: number
}

function tone({ context, note }: Playing, { type, endsAt, cents = 0, times = 1 }: Tone): OscillatorNode {
  const oscillator = new OscillatorNode(context, { type, frequency: hertzOf(note.pitch) * times, detune: cents })
  oscillator.start(note.at)
  oscillator.stop(endsAt)
  return oscillator
}

/** Up to `peak` by the first of the times, gone by the second. */
function envelope({ context, out, note }: Playing, peak: number, [peakAt, endAt]: readonly [number, number]): AudioNode {
  const gain = new GainNode(context, { gain: 0 })
  gain.gain.setValueAtTime(0.0001, note.at)
  gain.gain.exponentialRampToValueAtTime(peak * note.gain, peakAt)
  gain.gain.exponentialRampToValueAtTime(0.0001, endAt)
  gain.connect(out)
  return gain
}

function lowPass({ context }: Playing, frequency: number): AudioNode {
  return new BiquadFilterNode(context, { type: 'lowpass', frequency, Q: 0.6 })
}

function pan({ context }: Playing, side: number): AudioNode {
  return new StereoPannerNode(context, { pan: side })
}

function noiseOf(context: OfflineAudioContext): AudioBuffer {
  const buffer = new AudioBuffer({ length: SAMPLE_RATE / 10, sampleRate: context.sampleRate })
  const random = seeded(1)
  const samples = buffer.getChannelData(0)
  for (let index = 0; index < samples.length; index += 1) samples[index] = random() * 2 - 1
  return buffer
}
