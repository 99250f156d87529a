import { useEffect, useRef, useState } from 'react'
import { makePiece } from './make-piece.ts'
import type { Piece } from './pieces.ts'
import { keepVolume, readVolume } from './volume.ts'

/** Something to play: at an address, or to be made here. */
export type Playable = { title: string | undefined; author: string | undefined } & ({ url: string } | { piece: Piece })

export interface Player {
  track: Playable | undefined
  isPlaying: boolean
  /** A piece is being made, or a file fetched. */
  isBusy: boolean
  /** The track cannot be played. */
  isBroken: boolean
  position: number
  duration: number
  volume: number
  toggle: () => void
  skip: (by: number) => void
  seek: (seconds: number) => void
  setVolume: (volume: number) => void
}

/** Plays a list, one piece after the other and again from the start. Silent until a button is pressed. */
export function usePlayer(tracks: readonly Playable[]): Player {
  const audio = useRef<HTMLAudioElement | null>(null)
  const made = useRef(new Map<Piece, string>())
  const wanted = useRef(0)
  const [index, setIndex] = useState(0)
  const [isPlaying, setIsPlaying] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [isBroken, setIsBroken] = useState(false)
  const [position, setPosition] = useState(0)
  const [duration, setDuration] = useState(0)
  const [volume, setVolume] = useState(readVolume)
  const onEnded = useRef<() => void>(() => undefined)

  // The sound and what was made for it live outside of React and end with the player.
  useEffect(() => {
    const element = new Audio()
    element.volume = readVolume()
    audio.current = element
    const kept = made.current
    element.addEventListener('timeupdate', () => setPosition(element.currentTime))
    element.addEventListener('durationchange', () => setDuration(Number.isFinite(element.duration) ? element.duration : 0))
    element.addEventListener('play', () => setIsPlaying(true))
    element.addEventListener('pause', () => setIsPlaying(false))
    element.addEventListener('ended', () => onEnded.current())
    return () => {
      wanted.current += 1
      element.pause()
      element.removeAttribute('src')
      for (const url of kept.values()) URL.revokeObjectURL(url)
      kept.clear()
      audio.current = null
    }
  }, [])

  async function play(next: number): Promise<void> {
    const element = audio.current
    const track = tracks[next]
    if (element === null || track === undefined) return
    const request = (wanted.current += 1)
    setIndex(next)
    setIsBroken(false)
    setIsBusy(true)
    setPosition(0)
    setDuration(0)
    element.pause()
    try {
      const url = 'url' in track ? track.url : await madeUrl(track.piece)
      if (request !== wanted.current) return // another track was chosen meanwhile
      element.src = url
      await element.play()
    } catch (error) {
      // A browser that wants a fresh click keeps the track ready for it; anything else is a track that cannot be played.
      if (request === wanted.current && !isRefusal(error)) setIsBroken(true)
    } finally {
      if (request === wanted.current) setIsBusy(false)
    }
  }

  async function madeUrl(piece: Piece): Promise<string> {
    const kept = made.current.get(piece)
    if (kept !== undefined) return kept
    const url = URL.createObjectURL(await makePiece(piece))
    made.current.set(piece, url)
    return url
  }

  const skip = (by: number) => void play((index + by + tracks.length) % tracks.length)

  // The element calls this long after the render that knew which track it was.
  useEffect(() => {
    onEnded.current = () => skip(1)
  })

  return {
    track: tracks[index],
    isPlaying,
    isBusy,
    isBroken,
    position,
    duration,
    volume,
    toggle: () => {
      const element = audio.current
      if (element === null) return
      if (isPlaying) element.pause()
      else if (element.src === '' || isBroken) void play(index)
      // The element's events report the result.
      else element.play().catch(() => undefined)
    },
    skip,
    seek: (seconds) => {
      if (audio.current !== null) audio.current.currentTime = seconds
    },
    setVolume: (next) => {
      setVolume(next)
      keepVolume(next)
      if (audio.current !== null) audio.current.volume = next
    },
  }
}

/** `AbortError`: pause was pressed before it began. */
function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}
