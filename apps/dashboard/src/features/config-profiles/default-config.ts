import { newProfile } from '@causeway/xray'

const LARGEST_NUMBER = 999_999

/** The config of a new profile: the tag's number is drawn, as tags are unique over all profiles. */
export function defaultConfig(): Record<string, unknown> {
  return newProfile(1 + Math.floor(Math.random() * LARGEST_NUMBER))
}
