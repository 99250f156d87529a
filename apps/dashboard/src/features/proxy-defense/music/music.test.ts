import { describe, expect, it, vi } from 'vitest'
import { hertzOf, notesOf, PIECES, secondsOf } from './pieces.ts'
import { loadPlaylist, PlaylistError } from './playlist.ts'
import { SAMPLE_RATE, synthesise } from './synth.ts'
import { wavOf } from './wav.ts'

const LIST = 'https://music.example/lists/night.json'
const answering = (body: string, status = 200) => vi.fn<typeof fetch>(async () => new Response(body, { status }))

async function problemOf(ask: typeof fetch): Promise<unknown> {
  const error: unknown = await loadPlaylist(LIST, ask).catch((thrown: unknown) => thrown)
  return error instanceof PlaylistError ? error.problem : error
}

describe('the playlist', () => {
  it('MUSIC-007 MUSIC-008 is fetched by GET in cors mode and is a list of tracks, each with an address', async () => {
    const playlist = [
      { url: 'https://music.example/a.mp3', title: 'A', author: 'Ann' },
      { url: '../b.mp3', title: ' ', author: 7 },
      { title: 'no address' },
      'nonsense',
    ]
    const ask = answering(JSON.stringify({ playlist }))
    expect(await loadPlaylist(LIST, ask)).toEqual([
      { url: 'https://music.example/a.mp3', title: 'A', author: 'Ann' },
      { url: 'https://music.example/b.mp3', title: undefined, author: undefined },
    ])
    expect(ask).toHaveBeenCalledExactlyOnceWith(LIST, expect.objectContaining({ method: 'GET', mode: 'cors' }))
  })
  it('MUSIC-011 an HTTP error is told with its status', async () => {
    expect(await problemOf(answering('', 503))).toEqual({ kind: 'http', status: 503 })
  })
  it.each(['{"playlist":[]}', '{}', '[]', 'null'])('MUSIC-012 %s has no tracks', async (body) => {
    expect(await problemOf(answering(body))).toEqual({ kind: 'empty' })
  })
  it('MUSIC-013 whatever else goes wrong is a failure to load', async () => {
    expect(await problemOf(answering('<html>'))).toEqual({ kind: 'failed' })
    expect(await problemOf(() => Promise.reject(new TypeError('no network')))).toEqual({ kind: 'failed' })
  })
})

describe('our own pieces', () => {
  it.each(PIECES.map((piece) => [piece.title, piece] as const))('%s stays within its length and the ear', (_, piece) => {
    const notes = notesOf(piece)
    expect(notes.length).toBeGreaterThan(100)
    expect(secondsOf(piece)).toBeGreaterThan(40)
    expect(secondsOf(piece)).toBeLessThan(70)
    for (const note of notes) {
      expect(note.at).toBeGreaterThanOrEqual(0)
      expect(note.at + note.length).toBeLessThanOrEqual(secondsOf(piece) - 2 + 1e-9)
      expect(hertzOf(note.pitch)).toBeGreaterThan(30)
      expect(hertzOf(note.pitch)).toBeLessThan(2000)
    }
  })
  it.each(PIECES.map((piece) => [piece.title, piece] as const))('%s is heard throughout, and ends in silence', (_, piece) => {
    const sound = synthesise(piece)
    for (const channel of sound) {
      expect(channel.length).toBe(Math.ceil(secondsOf(piece) * SAMPLE_RATE))
      const loudness = (from: number, to: number) =>
        channel.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      expect(loudness(0, channel.length)).toBeGreaterThan(0.4)
      expect(loudness(0, channel.length)).toBeLessThanOrEqual(0.8001)
      const seconds = Math.floor(secondsOf(piece)) - 3
      const silent = Array.from({ length: seconds }, (_, second) => second).filter(
        (second) => !(loudness(second * SAMPLE_RATE, (second + 1) * SAMPLE_RATE) > 0.01),
      )
      expect(silent).toEqual([])
      expect(loudness(channel.length - 100, channel.length)).toBeLessThan(0.01)
    }
  })
  it('A above middle C is 440 Hz', () => expect(hertzOf(69)).toBe(440))
  it('is a WAV file that says how long it is', async () => {
    const bytes = new DataView(await wavOf([Float32Array.from([0, 1, -2]), Float32Array.from([0, -1, 2])], 8000).arrayBuffer())
    expect(bytes.byteLength).toBe(44 + 12)
    expect(bytes.getUint32(4, true)).toBe(36 + 12)
    expect([bytes.getUint16(22, true), bytes.getUint32(24, true), bytes.getUint32(28, true)]).toEqual([2, 8000, 32_000])
    // Frame by frame, and never beyond what 16 bits hold.
    expect([48, 50, 52, 54].map((at) => bytes.getInt16(at, true))).toEqual([32_767, -32_767, -32_767, 32_767])
  })
})
