import { getMusic } from '@causeway/contract'
import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, disconnect, fakeFetch, hold } from '../../../../test/fake-api.ts'
import { showPart } from '../../../../test/screen.tsx'
import { MusicPlayer } from './music-player.tsx'
import { PIECES } from './pieces.ts'
import { keepVolume, readVolume } from './volume.ts'
import { wavOf } from './wav.ts'

const LIST = 'https://music.example/list.json'
const SERVICE = 'https://stream.example/'
const player = page.getByRole('region', { name: 'Music player' })
const button = (name: string) => player.getByRole('button', { name, exact: true })

const position = player.getByRole('slider', { name: 'Position' })

function given(playlistUrl: string | null): void {
  answer(getMusic, () => ({ playlistUrl, serviceUrl: SERVICE }))
}

/** The host of the playlist; everything else goes the usual way. */
function hostAnswers(...replies: (() => Response)[]): void {
  const given = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (target, init) => {
    if (target !== LIST) return (given ?? fakeFetch)(target, init)
    return (replies.length > 1 ? replies.shift() : replies[0])?.() ?? Response.error()
  })
}
const listOf =
  (...playlist: unknown[]) =>
  () =>
    new Response(JSON.stringify({ playlist }))
const show = () => showPart(<MusicPlayer />, { texts: ['proxy-defense'] })

/** Silence at an address of its own. */
const silence = (seconds = 1) => URL.createObjectURL(wavOf([new Float32Array(seconds * 8000)], 8000))

describe('the player', () => {
  it('MUSIC-001 floats at the end of the page, collapsed', async () => {
    given(null)
    await show()
    await expect.element(button('Play')).toBeVisible()
    await expect.element(player).toHaveStyle({ position: 'fixed' })
    const toCorner = () => {
      const { right, bottom } = player.element().getBoundingClientRect()
      return [innerWidth - right, innerHeight - bottom]
    }
    await expect.poll(toCorner).toEqual([16, 16])
    await expect.element(button('Show the player')).toHaveAttribute('aria-expanded', 'false')
    await expect.element(player.getByText(PIECES[0]?.title ?? '')).toBeVisible()
  })

  it('MUSIC-002 MUSIC-003 expanded it has everything, and a link to a streaming service', async () => {
    given(null)
    await show()
    await button('Show the player').click()
    for (const name of ['Previous track', 'Next track', 'Mute']) await expect.element(button(name)).toBeVisible()
    const link = player.getByRole('link', { name: 'More on a streaming service' })
    await expect.element(link).toHaveAttribute('href', SERVICE)
    await expect.element(link).toHaveAttribute('target', '_blank')
    await button('Hide the player').click()
    await expect.element(link).not.toBeInTheDocument()
  })

  it('MUSIC-002 says that it is loading', async () => {
    given(null)
    const release = hold(getMusic)
    await show()
    await expect.element(player.getByRole('status')).toHaveTextContent('Loading music')
    release()
    await expect.element(button('Play')).toBeVisible()
  })

  it('MUSIC-004 MUSIC-005 MUSIC-006 names title and author, known or not', async () => {
    given(LIST)
    hostAnswers(listOf({ url: silence(), title: 'Night', author: 'Ann' }, { url: silence() }))
    await show()
    await button('Show the player').click()
    await expect.element(player.getByText('Night')).toBeVisible()
    await expect.element(player.getByText('Ann')).toBeVisible()
    await button('Next track').click()
    await expect.element(player.getByText('Unknown Title')).toBeVisible()
    await expect.element(player.getByText('Unknown Artist')).toBeVisible()
  })

  it('MUSIC-003 goes one track on and one back, around the ends', async () => {
    given(LIST)
    // Long enough that none of them ends and goes on by itself.
    hostAnswers(listOf(...['One', 'Two', 'Three', 'Four'].map((title) => ({ url: silence(600), title }))))
    await show()
    await button('Show the player').click()
    for (const [name, title] of [
      ['Next track', 'Two'],
      ['Next track', 'Three'],
      ['Previous track', 'Two'],
      ['Previous track', 'One'],
      ['Previous track', 'Four'],
      ['Next track', 'One'],
    ] as const) {
      await button(name).click()
      await expect.element(player.getByText(title, { exact: true })).toBeVisible()
    }
  })

  it('says nothing before a click, then plays', async () => {
    const play = vi.spyOn(HTMLMediaElement.prototype, 'play')
    given(LIST)
    hostAnswers(listOf({ url: silence(), title: 'Night' }))
    await show()
    await expect.element(button('Play')).toBeVisible()
    expect(play).not.toHaveBeenCalled()
    await button('Play').click()
    await expect.element(button('Pause')).toBeVisible()
    expect(play).toHaveBeenCalledOnce()
    await button('Pause').click()
    await expect.element(button('Play')).toBeVisible()
  })

  it('plays what the browser itself has made', async () => {
    given(null)
    await show()
    await button('Play').click()
    await expect.element(button('Pause')).toBeVisible()
    await button('Show the player').click()
    await expect.element(player.getByText('Made by this browser')).toBeVisible()
    await expect.poll(() => Number(position.element().getAttribute('aria-valuemax'))).toBeGreaterThan(40)
  })

  it('says when a track cannot be played', async () => {
    given(LIST)
    hostAnswers(listOf({ url: URL.createObjectURL(new Blob(['no music'])), title: 'Noise' }))
    await show()
    await button('Play').click()
    await expect.element(player.getByRole('alert')).toHaveTextContent('This track cannot be played')
  })
})

describe('without music', () => {
  it.each([
    ['MUSIC-011 an HTTP error', () => new Response('', { status: 503 }), 'HTTP error! status: 503'],
    ['MUSIC-012 an empty list', listOf(), 'No tracks found in the playlist'],
    ['MUSIC-013 anything else', () => new Response('<html>'), 'Failed to load playlist'],
  ] as const)('MUSIC-002 MUSIC-009 MUSIC-010 %s is an error with its reason, until it works again', async (_, reply, text) => {
    given(LIST)
    hostAnswers(reply, listOf({ url: silence(), title: 'Night' }))
    await show()
    const alert = player.getByRole('alert')
    await expect.element(alert).toMatchTextContent('Error')
    await expect.element(alert).toMatchTextContent(text)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await expect.element(player.getByText('Night')).toBeVisible()
    await expect.element(alert).not.toBeInTheDocument()
  })

  it('MUSIC-009 a browser that cannot play what we make has no tracks', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('')
    given(null)
    await show()
    await expect.element(player.getByRole('alert')).toMatchTextContent('No tracks available')
  })

  it('a server that does not answer is an error, too', async () => {
    disconnect(getMusic)
    await show()
    await expect.element(player.getByRole('alert')).toMatchTextContent('Failed to load playlist')
  })
})

describe('the volume', () => {
  it('MUSIC-014 is 0.7 until somebody changes it', () => {
    expect(readVolume()).toBe(0.7)
    localStorage.setItem('proxy-defense-volume', 'loud')
    expect(readVolume()).toBe(0.7)
  })

  it('MUSIC-014 is remembered', async () => {
    given(null)
    await show()
    await button('Show the player').click()
    const slider = player.getByRole('slider', { name: 'Volume' })
    await expect.element(slider).toHaveAttribute('aria-valuenow', '0.7')
    slider.element().focus()
    await userEvent.keyboard('{ArrowRight}{ArrowRight}')
    expect(readVolume()).toBeCloseTo(0.8, 10)
    await button('Mute').click()
    expect(readVolume()).toBe(0)
    await button('Unmute').click()
    expect(readVolume()).toBeCloseTo(0.8, 10)
    keepVolume(0.25)
    await show()
    await button('Show the player').click()
    await expect.element(slider).toHaveAttribute('aria-valuenow', '0.25')
  })
})
