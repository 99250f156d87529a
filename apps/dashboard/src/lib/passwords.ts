const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const ALL = LOWER + UPPER + DIGITS
const LENGTH = 32

/** 32 letters and digits, at least one of each kind. `randomIndex(n)` answers evenly from 0 to n-1. */
export function generatePassword(randomIndex: (size: number) => number = secureIndex): string {
  for (;;) {
    const password = Array.from({ length: LENGTH }, () => ALL[randomIndex(ALL.length)]).join('')
    // Trying again keeps every allowed password equally likely, which placing one of each kind would not.
    if (/[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)) return password
  }
}

function secureIndex(size: number): number {
  const limit = 256 - (256 % size)
  const byte = new Uint8Array(1)
  do crypto.getRandomValues(byte)
  while (byte[0]! >= limit) // the array has exactly one element
  return byte[0]! % size
}
