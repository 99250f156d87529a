import { randomInt } from 'node:crypto'

// Letters that are mistaken for each other (I, l, O, i) are left out: people read these texts to each other.
const ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ_abcdefghjkmnopqrstuvwxyz-'

/** Unguessable text of the wire's alphabet: 5.9 bits a character. */
export function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
