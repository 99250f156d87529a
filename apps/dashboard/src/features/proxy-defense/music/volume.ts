const STORAGE_KEY = 'proxy-defense-volume'
export const DEFAULT_VOLUME = 0.7

/** From 0 to 1. */
export function readVolume(): number {
  const kept = localStorage.getItem(STORAGE_KEY)
  const volume = kept === null ? Number.NaN : Number(kept)
  return volume >= 0 && volume <= 1 ? volume : DEFAULT_VOLUME
}

export function keepVolume(volume: number): void {
  localStorage.setItem(STORAGE_KEY, String(volume))
}
