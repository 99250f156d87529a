// How near this browser has come to the hidden game. The sign-in page carries this, so it stays small.

const STORAGE_KEY = 'proxy-defense-egg'
const WISH_KEY = 'proxy-defense-wish'
export const CLICKS_NEEDED = 100

export function eggClicks(): number {
  const clicks = Number(localStorage.getItem(STORAGE_KEY))
  return clicks > 0 ? Math.min(Math.floor(clicks), CLICKS_NEEDED) : 0
}

export function isEggUnlocked(): boolean {
  return eggClicks() === CLICKS_NEEDED
}

/** One click more; returns how many there are. */
export function countEggClick(): number {
  const clicks = Math.min(eggClicks() + 1, CLICKS_NEEDED)
  localStorage.setItem(STORAGE_KEY, String(clicks))
  return clicks
}

export function lockEgg(): void {
  localStorage.removeItem(STORAGE_KEY)
}

/** A visitor without a session wants to play: remembered until the sign-in, in this tab only. */
export function wishForGame(): void {
  sessionStorage.setItem(WISH_KEY, '1')
}

export function takeWish(): boolean {
  const isWished = sessionStorage.getItem(WISH_KEY) !== null
  sessionStorage.removeItem(WISH_KEY)
  return isWished
}
